// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.observe.export.DropReason;
import dev.porchlight.observe.otlp.CanonicalJson;
import dev.porchlight.observe.otlp.CollectorStub;
import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.support.Patience;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The official protobuf classes read what a collector receives. */
class LogExportTest {
    private static final SpanContext SPAN =
            new SpanContext(0x0af7651916cd43ddL, 0x8448eb211c80319cL, 0xb7ad6b7169203331L, 1, "", false);
    private static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(1_700_000_000_123L), ZoneOffset.UTC);
    private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT";

    private final CollectorStub collector = new CollectorStub();

    @AfterEach
    void stop() {
        collector.close();
    }

    @Test
    void a_line_is_a_record_with_its_trace_and_fields() throws Exception {
        try (LogExport export = open(Map.of())) {
            Logger logger = logger(export).child(Fields.of("requestId", "r1", "step", "early"));
            logger.warn(
                    "paid",
                    new Fields()
                            .put("amount", 12L)
                            .put("step", "late")
                            .put("ok", true)
                            .put("rate", 0.5));
            assertThat(export.flush(Patience.LIMIT)).isTrue();
            assertThat(export.stats().exported()).isEqualTo(1);
        }
        LogRecord line = records().get(0);
        assertThat(line.getTimeUnixNano()).isEqualTo(1_700_000_000_123_000_000L);
        assertThat(line.getSeverityNumberValue()).isEqualTo(13);
        assertThat(line.getSeverityText()).isEqualTo("WARN");
        assertThat(line.getBody().getStringValue()).isEqualTo("paid");
        assertThat(line.getTraceId().size()).isEqualTo(16);
        assertThat(line.getSpanId().byteAt(0)).isEqualTo((byte) 0xb7);
        assertThat(line.getFlags()).isEqualTo(1);
        Map<String, Object> attributes = attributes(line);
        assertThat(attributes)
                .containsOnlyKeys("requestId", "amount", "step", "ok", "rate")
                .containsEntry("step", "late")
                .containsEntry("amount", 12L)
                .containsEntry("rate", 0.5)
                .containsEntry("ok", true);
        assertThat(collector.requests().get(0).path()).isEqualTo("/own");
    }

    @Test
    void severities_follow_the_data_model_and_levels_below_the_threshold_are_not_sent() throws Exception {
        try (LogExport export = open(Map.of())) {
            Logger logger = logger(export);
            for (Level level : Level.values()) {
                logger.log(level, level.label(), null, new Fields());
            }
        }
        assertThat(records()).extracting(LogRecord::getSeverityNumberValue).containsExactly(5, 9, 13, 17, 21);
    }

    @Test
    void secrets_are_redacted_at_any_depth() throws Exception {
        try (LogExport export = open(Map.of())) {
            Logger logger = logger(export).child(Fields.of("authorization", "planted"));
            logger.info(
                    "in",
                    new Fields()
                            .put("password", "planted")
                            .put("map", Map.of("token", "planted", "list", List.of(Map.of("secret", "planted"))))
                            .put("chars", "planted".toCharArray())
                            .put("nested", Fields.of("cookie", "planted"))
                            .put("array", new Object[] {"planted".toCharArray()})
                            .put("lazy", (Supplier<?>) () -> Map.of("password", "planted")));
        }
        String sent = records().get(0).toString();
        assertThat(sent).contains("authorization", "password", "[redacted]").doesNotContain("planted");
    }

    @Test
    void an_exception_is_sent_by_the_conventions_and_hostile_values_are_tolerated() throws Exception {
        Object hostile = new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException();
            }
        };
        Map<String, Object> cycle = new HashMap<>();
        cycle.put("self", cycle);
        try (LogExport export = open(Map.of())) {
            logger(export)
                    .error(
                            "failed",
                            new IllegalArgumentException("bad"),
                            new Fields()
                                    .put("hostile", hostile)
                                    .put("cycle", cycle)
                                    .put("null", (Object) null)
                                    .put("long", "x".repeat(100_000)));
        }
        Map<String, Object> attributes = attributes(records().get(0));
        assertThat(attributes)
                .containsEntry("exception.type", "java.lang.IllegalArgumentException")
                .containsEntry("exception.message", "bad")
                .containsEntry("hostile", "!error: java.lang.IllegalStateException")
                .doesNotContainKey("null");
        assertThat((String) attributes.get("exception.stacktrace")).contains("LogExportTest");
        assertThat((String) attributes.get("long")).hasSizeLessThan(20_000).endsWith("[+83616]");
    }

    @Test
    void a_record_is_bounded_and_counts_dropped_attributes() throws Exception {
        Fields fields = new Fields();
        for (int i = 0; i < 10; i++) {
            fields.put("field" + i, "x".repeat(16_000));
        }
        try (LogExport export = open(Map.of())) {
            logger(export).info("large", fields);
        }
        assertThat(records().get(0).getSerializedSize()).isLessThan(100_000);
        assertThat(records().get(0).getDroppedAttributesCount()).isEqualTo(5);
    }

    @Test
    void a_full_queue_drops_and_counts_lines_and_no_call_waits() throws Exception {
        collector.script.add(collector.hang());
        LogExport export = open(Map.of(
                "OTEL_BLRP_MAX_QUEUE_SIZE",
                "2",
                "OTEL_BLRP_MAX_EXPORT_BATCH_SIZE",
                "1",
                "OTEL_BLRP_SCHEDULE_DELAY",
                "1"));
        Logger logger = logger(export);
        logger.info("first");
        await().until(() -> !collector.requests().isEmpty());
        for (int i = 0; i < 5; i++) {
            logger.info("more");
        }
        assertThat(export.stats().dropped(DropReason.QUEUE_FULL)).isEqualTo(3);
        assertThat(export.stats().queueSize()).isEqualTo(2);
        collector.close();
        export.close();
    }

    @Test
    void the_characters_of_queued_lines_are_bounded() {
        LogExport export =
                open(Map.of("OTEL_BLRP_SCHEDULE_DELAY", "3600000", "OTEL_BLRP_MAX_EXPORT_BATCH_SIZE", "2048"));
        Logger logger = logger(export);
        int lines = (int) (LogExport.MAX_QUEUED_CHARS / 16_000) + 10;
        for (int i = 0; i < lines; i++) {
            logger.info("x".repeat(16_000));
        }
        assertThat(export.stats().dropped(DropReason.QUEUE_FULL)).isBetween(10L, 40L);
        assertThat(export.flush(Patience.LIMIT)).isTrue();
        logger.info("room again");
        assertThat(export.close(Patience.LIMIT)).isZero();
        assertThat(export.stats().exported() + export.stats().dropped()).isEqualTo(lines + 1);
    }

    @Test
    void json_and_protobuf_are_equivalent() throws Exception {
        for (String protocol : List.of("http/protobuf", "http/json")) {
            try (LogExport export = open(Map.of("OTEL_EXPORTER_OTLP_PROTOCOL", protocol))) {
                Logger logger = logger(export);
                logger.info(
                        "q\" é\n", Fields.of("map", Map.of("k", List.of(1, "two", true)), "bytes", new byte[] {-5}));
                logger.info("plain");
            }
        }
        Object protobuf = CanonicalJson.of(
                ExportLogsServiceRequest.parseFrom(collector.requests().get(0).body()));
        String json = new String(collector.requests().get(1).plain(), StandardCharsets.UTF_8);
        assertThat(CanonicalJson.withoutDefaults(dev.porchlight.observe.otlp.StrictJson.parse(json)))
                .isEqualTo(protobuf);
    }

    @Test
    void lines_are_not_sent_unless_the_signal_is_configured() {
        for (Map<String, String> environment : List.of(
                Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.base()),
                Map.of("OTEL_LOGS_EXPORTER", "none", ENDPOINT, collector.base()))) {
            LogExport.Settings settings =
                    LogExport.Settings.fromEnvironment("test", environment, (variable, message) -> {});
            try (LogExport export = LogExport.open(settings, event -> {})) {
                assertThat(export.active()).isNull();
                logger(export).info("only written");
            }
        }
        assertThat(collector.requests()).isEmpty();
    }

    private LogExport open(Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put(ENDPOINT, collector.base() + "/own");
        return LogExport.open(
                LogExport.Settings.fromEnvironment("test", environment, (variable, message) -> {}), event -> {});
    }

    private static Logger logger(LogExport export) {
        return new Logger(
                        "test",
                        Thresholds.of(Level.DEBUG),
                        new LogFormat.Json(),
                        LogWriter.to(OutputStream.nullOutputStream()),
                        () -> SPAN,
                        CLOCK)
                .exportingTo(export);
    }

    private List<LogRecord> records() throws Exception {
        return ExportLogsServiceRequest.parseFrom(collector.requests().get(0).body())
                .getResourceLogs(0)
                .getScopeLogs(0)
                .getLogRecordsList();
    }

    private static Map<String, Object> attributes(LogRecord line) {
        Map<String, Object> attributes = new HashMap<>();
        for (KeyValue pair : line.getAttributesList()) {
            Object value = pair.getValue().getAllFields().values().iterator().next();
            assertThat(attributes.put(pair.getKey(), value)).as(pair.getKey()).isNull();
        }
        return attributes;
    }
}
