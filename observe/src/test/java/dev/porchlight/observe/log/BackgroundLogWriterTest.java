// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Writers to streams that may block, such as a pipe without a reader. */
class BackgroundLogWriterTest {
    private static final Duration LONG = Duration.ofSeconds(50);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final int LINES = 20_000;

    private static Logger logger(LogWriter writer) {
        return new Logger("auth", Level.INFO, new LogFormat.Json(), writer);
    }

    @Test
    void a_stream_that_never_accepts_a_line_holds_no_caller() {
        GatedSink sink = new GatedSink();
        LogWriter writer = LogWriter.background(sink, 1000, SHORT);
        Logger log = logger(writer);
        for (int i = 0; i < 100; i++) {
            log.info("line");
            log.warn("warning");
        }
        writer.close();
        LogStats stats = writer.stats();
        assertThat(stats.dropped(Level.INFO, LineDropReason.QUEUE_FULL)).isPositive();
        assertThat(stats.dropped(Level.WARN, LineDropReason.QUEUE_FULL)).isPositive();
        assertThat(sink.writes()).isEmpty();
        sink.open();
    }

    @Test
    void the_number_of_dropped_lines_is_logged_once_the_stream_accepts_lines_again() {
        GatedSink sink = new GatedSink();
        LogWriter writer = LogWriter.background(sink, 1000, SHORT);
        Logger log = logger(writer);
        for (int i = 0; i < 100; i++) {
            log.info("line");
        }
        long dropped = writer.stats().dropped();
        assertThat(dropped).isPositive();
        sink.open();
        await().until(writer::flush);
        log.warn("last");
        await().until(writer::flush);
        List<Map<String, Object>> notices = String.join("", sink.writes())
                .lines()
                .map(StrictJson::object)
                .filter(line -> "log_lines_dropped".equals(line.get("event")))
                .toList();
        assertThat(notices).hasSize(1);
        assertThat(notices.get(0).get("dropped")).hasToString(String.valueOf(dropped));
        assertThat((String) notices.get(0).get("message")).startsWith(dropped + " log lines were dropped since 2");
        assertThat(sink.messages()).endsWith("last");
        writer.close();
    }

    @Test
    void warnings_are_written_when_the_call_returns_and_close_writes_the_rest() {
        GatedSink sink = new GatedSink();
        sink.open();
        LogWriter writer = LogWriter.background(sink, 100_000, LONG);
        Logger log = logger(writer);
        log.info("first");
        log.warn("second");
        assertThat(sink.messages()).containsExactly("first", "second");
        log.info("third");
        writer.close();
        assertThat(sink.messages()).containsExactly("first", "second", "third");
        log.info("late");
        assertThat(writer.stats().dropped(Level.INFO, LineDropReason.CLOSED)).isEqualTo(1);
    }

    @Test
    void lines_of_a_busy_service_are_written_together() throws Exception {
        GatedSink sink = new GatedSink();
        LogWriter writer = LogWriter.background(sink, 100_000_000, LONG);
        Logger log = logger(writer);
        log.info("first");
        await().until(() -> sink.begun() == 1);
        for (int i = 0; i < 1000; i++) {
            log.info("line " + i);
        }
        sink.open();
        assertThat(writer.flush()).isTrue();
        assertThat(sink.writes()).filteredOn(write -> !write.isEmpty()).hasSize(2);
        assertThat(sink.messages()).hasSize(1001).endsWith("line 999");
        writer.close();
    }

    @Test
    void a_steady_stream_of_lines_needs_few_writes() {
        GatedSink sink = new GatedSink();
        sink.open();
        LogWriter writer = LogWriter.background(sink, 100_000_000, LONG);
        Logger log = logger(writer);
        long start = System.nanoTime();
        for (int i = 0; i < 300; i++) {
            log.info("line");
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        writer.close();
        assertThat(sink.messages()).hasSize(300);
        assertThat(sink.writes()).hasSizeLessThan((int) (20 + millis / 5));
    }

    @Test
    void a_process_whose_output_has_no_reader_keeps_working_and_reports_the_loss() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Talkative.class.getName())
                .start();
        try (BufferedReader errors = process.errorReader(StandardCharsets.UTF_8);
                OutputStream input = process.getOutputStream()) {
            assertThat(errors.readLine()).as("standard output is not read").isEqualTo("done");
            try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
                input.write('\n');
                input.flush();
                List<Map<String, Object>> lines =
                        output.lines().map(StrictJson::object).toList();
                assertThat(lines.get(lines.size() - 1)).containsEntry("message", "again");
                long written = lines.stream()
                        .filter(line -> "line".equals(line.get("message")))
                        .count();
                long dropped = lines.stream()
                        .filter(line -> line.containsKey("dropped"))
                        .mapToLong(line -> Long.parseLong(String.valueOf(line.get("dropped"))))
                        .sum();
                assertThat(written + dropped).isEqualTo(LINES);
                assertThat(dropped).isPositive();
            }
        } finally {
            process.destroyForcibly();
        }
    }

    /** Logs more than pipe and queue hold, then one line after its output is read. */
    static final class Talkative {
        private Talkative() {}

        public static void main(String[] arguments) throws IOException {
            LogWriter writer = LogWriter.standardOutput();
            Logger log = logger(writer);
            Fields padding = Fields.of("padding", "x".repeat(100));
            for (int i = 0; i < LINES; i++) {
                log.info("line", padding);
            }
            System.err.println("done");
            int unused = System.in.read();
            while (!writer.flush()) { // until the reader has caught up
                Thread.onSpinWait();
            }
            log.info("again"); // written by the shutdown hook
        }
    }
}
