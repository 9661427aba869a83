// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.logstash.logback.encoder.LogstashEncoder;

/**
 * The usual observability stack of a Java service, configured as documented: Micrometer with its Prometheus
 * registry, the OpenTelemetry SDK with the batch processor and the OTLP exporter, logback with the logstash encoder on standard
 * output.
 */
public final class Stack {
    public static final Tracer TRACER = tracer(System.getenv("PEER_OTLP_ENDPOINT"));
    public static final Logger LOG = logger();

    private static final MeterRegistry METERS = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private static final Duration[] BUCKETS = Stream.of(5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private Stack() {}

    /** A timer, which is also a counter. */
    public static void record(String name, long nanos, String... tags) {
        Timer.builder(name)
                .tags(tags)
                .serviceLevelObjectives(BUCKETS)
                .register(METERS)
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    private static Tracer tracer(String endpoint) {
        OtlpHttpSpanExporter exporter =
                OtlpHttpSpanExporter.builder().setEndpoint(endpoint + "/v1/traces").build();
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
                .build();
        Runtime.getRuntime().addShutdownHook(new Thread(provider::close));
        return provider.get("porchlight");
    }

    private static Logger logger() {
        LoggerContext context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter());
        LogstashEncoder encoder = new LogstashEncoder();
        encoder.setContext(context);
        encoder.setCustomFields("{\"service\":\"porchlight\"}");
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.start();
        Logger logger = context.getLogger("porchlight");
        logger.addAppender(appender);
        return logger;
    }
}
