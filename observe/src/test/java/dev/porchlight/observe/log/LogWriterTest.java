// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogWriterTest {
    private static final Duration LONG = Duration.ofSeconds(50);
    private static final Duration SHORT = Duration.ofMillis(200);

    private static Logger logger(LogWriter writer) {
        return new Logger("auth", Level.INFO, new LogFormat.Json(), writer);
    }

    @Test
    void a_line_is_written_when_the_call_returns_if_the_stream_is_free() {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        LogWriter writer = LogWriter.to(sink);
        logger(writer).info("hello");
        assertThat(sink.toString(StandardCharsets.UTF_8)).contains("hello").endsWith("}\n");
        assertThat(writer.stats().written(Level.INFO)).isEqualTo(1);
    }

    @Test
    void lines_of_many_threads_are_neither_lost_nor_torn_and_each_thread_keeps_its_order() throws Exception {
        int threads = 8;
        int lines = 4000;
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        LogWriter writer = new LogWriter(sink, 256 * 1024 * 1024, LONG);
        Logger log = logger(writer);
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            Logger child = log.child(new Fields().put("thread", t));
            all.add(new Thread(() -> {
                Fields fields = new Fields();
                for (int i = 0; i < lines; i++) {
                    Level level = i % 50 == 0 ? Level.WARN : Level.INFO;
                    child.log(level, "line", null, fields.clear().put("i", i).put("pad", "é".repeat(i % 100)));
                }
            }));
        }
        all.forEach(Thread::start);
        for (Thread thread : all) {
            thread.join();
        }
        assertThat(writer.flush()).isTrue();
        Map<String, Integer> next = new HashMap<>();
        sink.toString(StandardCharsets.UTF_8).lines().map(StrictJson::object).forEach(line -> {
            String thread = String.valueOf(line.get("thread"));
            int expected = next.getOrDefault(thread, 0);
            assertThat(line.get("i")).hasToString(String.valueOf(expected));
            assertThat((String) line.get("pad")).hasSize(expected % 100);
            next.put(thread, expected + 1);
        });
        assertThat(next)
                .hasSize(threads)
                .allSatisfy((thread, count) -> assertThat(count).isEqualTo(lines));
        LogStats stats = writer.stats();
        assertThat(stats.written(Level.INFO) + stats.written(Level.WARN)).isEqualTo((long) threads * lines);
        assertThat(stats.dropped()).isZero();
    }

    @Test
    void lines_queued_during_a_write_are_written_together() throws Exception {
        GatedSink sink = new GatedSink();
        Logger log = logger(new LogWriter(sink, 10_000, LONG));
        Thread first = begin(sink, () -> log.info("first"));
        log.info("second");
        log.info("third");
        sink.open();
        first.join();
        assertThat(sink.messages()).containsExactly("first", "second", "third");
        assertThat(sink.writes()).hasSize(2);
    }

    @Test
    void a_blocked_sink_drops_info_when_the_queue_is_full_and_counts_it_by_level_and_reason() throws Exception {
        GatedSink sink = new GatedSink();
        LogWriter writer = new LogWriter(sink, 1000, SHORT);
        Logger log = logger(writer);
        Thread first = begin(sink, () -> log.info("first"));
        for (int i = 0; i < 100; i++) {
            log.info("line " + i);
        }
        long dropped = writer.stats().dropped(Level.INFO, LineDropReason.QUEUE_FULL);
        assertThat(dropped).isBetween(80L, 99L);
        sink.open();
        first.join();
        log.info("last");
        assertThat(sink.messages())
                .hasSize(100 - (int) dropped + 3)
                .startsWith("first")
                .contains("line 0")
                .endsWith("last");
        assertThat(writer.stats().dropped()).isEqualTo(dropped);
        assertThat(writer.stats().written(Level.INFO)).isEqualTo(102 - dropped);
    }

    @Test
    void no_line_is_lost_while_the_stream_makes_progress(@TempDir Path folder) throws Exception {
        int threads = 32;
        int lines = 500;
        Path file = folder.resolve("lines.log");
        try (OutputStream sink = Files.newOutputStream(file)) {
            LogWriter writer = new LogWriter(sink, 1000, LONG);
            Logger log = logger(writer);
            List<Thread> all = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                all.add(start(() -> {
                    for (int i = 0; i < lines; i++) {
                        log.info("line " + i);
                    }
                }));
            }
            for (Thread thread : all) {
                thread.join();
            }
            assertThat(writer.flush()).isTrue();
            assertThat(writer.stats().dropped()).isZero();
        }
        assertThat(Files.readAllLines(file)).hasSize(threads * lines);
    }

    @Test
    void an_info_line_waits_for_room_in_a_full_queue() throws Exception {
        assertWaitsForRoom((log, message) -> log.info(message));
    }

    @Test
    void a_warning_waits_for_room_in_a_full_queue() throws Exception {
        assertWaitsForRoom((log, message) -> log.warn(message));
    }

    private static void assertWaitsForRoom(BiConsumer<Logger, String> logging) throws Exception {
        GatedSink sink = new GatedSink();
        Logger log = logger(new LogWriter(sink, 200, LONG));
        Thread first = begin(sink, () -> log.info("first"));
        log.info("second");
        Thread third = start(() -> logging.accept(log, "third " + "x".repeat(80)));
        awaitState(third, Thread.State.TIMED_WAITING);
        sink.open();
        third.join();
        first.join();
        assertThat(sink.messages()).hasSize(3);
    }

    @Test
    void a_line_larger_than_the_queue_is_queued_alone() throws Exception {
        GatedSink sink = new GatedSink();
        LogWriter writer = new LogWriter(sink, 10, SHORT);
        Logger log = logger(writer);
        Thread first = begin(sink, () -> log.info("first"));
        log.info("second");
        log.info("third");
        sink.open();
        first.join();
        assertThat(sink.messages()).hasSize(3).contains("first", "second");
        assertThat(writer.stats().dropped(Level.INFO, LineDropReason.QUEUE_FULL))
                .isEqualTo(1);
    }

    @Test
    void a_warning_waits_until_it_is_written() throws Exception {
        assertWaitsUntilWritten((log, message) -> log.warn(message));
    }

    @Test
    void an_audit_line_waits_until_it_is_written_whatever_its_level() throws Exception {
        assertWaitsUntilWritten(
                (log, message) -> log.audit().child(Fields.of("who", "me")).info(message));
    }

    private static void assertWaitsUntilWritten(BiConsumer<Logger, String> logging) throws Exception {
        GatedSink sink = new GatedSink();
        Logger log = logger(new LogWriter(sink, 10_000, LONG));
        Thread first = begin(sink, () -> log.info("first"));
        Thread second = start(() -> logging.accept(log, "second"));
        awaitState(second, Thread.State.TIMED_WAITING);
        sink.open();
        second.join();
        assertThat(sink.messages()).containsExactly("first", "second");
        first.join();
    }

    @Test
    void a_warning_waits_at_most_the_stall_timeout_and_is_counted_when_lost() throws Exception {
        GatedSink sink = new GatedSink();
        LogWriter writer = new LogWriter(sink, 200, SHORT);
        Logger log = logger(writer);
        Thread first = begin(sink, () -> log.info("first"));
        log.warn("second");
        log.warn("third " + "x".repeat(100));
        assertThat(writer.stats().dropped(Level.WARN, LineDropReason.QUEUE_FULL))
                .isEqualTo(1);
        sink.open();
        first.join();
        assertThat(sink.messages()).hasSize(3).contains("first", "second");
    }

    @Test
    void after_one_thread_timed_out_no_other_waits_for_the_same_write() throws Exception {
        GatedSink sink = new GatedSink();
        LogWriter writer = new LogWriter(sink, 1_000_000, Duration.ofSeconds(1));
        Logger log = logger(writer);
        Thread first = begin(sink, () -> log.info("first"));
        for (int i = 0; i < 200; i++) {
            log.warn("this line would wait a second");
        }
        sink.open();
        first.join();
        log.warn("last");
        assertThat(sink.messages()).hasSize(202).endsWith("last");
        assertThat(writer.stats().dropped()).isZero();
    }

    @Test
    void an_interrupted_thread_still_waits_and_stays_interrupted() throws Exception {
        GatedSink sink = new GatedSink();
        Logger log = logger(new LogWriter(sink, 10_000, LONG));
        Thread first = begin(sink, () -> log.info("first"));
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        Thread second = start(() -> {
            Thread.currentThread().interrupt();
            log.warn("second");
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        awaitState(second, Thread.State.TIMED_WAITING);
        sink.open();
        second.join();
        first.join();
        assertThat(interrupted).hasValue(true);
        assertThat(sink.messages()).containsExactly("first", "second");
    }

    @Test
    void a_thread_that_keeps_writing_for_others_is_relieved() throws Exception {
        GatedSink sink = new GatedSink();
        Logger log = logger(new LogWriter(sink, 1_000_000, LONG));
        Thread first = begin(sink, () -> log.info("0"));
        List<Thread> others = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            String message = String.valueOf(i);
            Thread other = start(() -> log.info(message));
            others.add(other);
            while (other.isAlive() && other.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            int before = sink.begun();
            sink.permit(1);
            while (sink.begun() == before) {
                Thread.onSpinWait();
            }
        }
        first.join(); // although there were always lines to write
        sink.open();
        for (Thread other : others) {
            other.join();
        }
        assertThat(sink.messages())
                .hasSize(21)
                .startsWith("0", "1", "2")
                .endsWith("19", "20")
                .doesNotHaveDuplicates();
    }

    @Test
    void a_failing_sink_is_counted_and_never_fails_the_caller() {
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int oneByte) throws IOException {
                throw new IOException("no space left");
            }
        };
        LogWriter writer = LogWriter.to(broken);
        logger(writer).info("one");
        logger(writer).error("two");
        assertThat(writer.stats().dropped(Level.INFO, LineDropReason.SINK_FAILED))
                .isEqualTo(1);
        assertThat(writer.stats().dropped(Level.ERROR, LineDropReason.SINK_FAILED))
                .isEqualTo(1);
        assertThat(writer.stats().written(Level.INFO)).isZero();
    }

    @Test
    void after_a_partial_line_the_next_one_starts_on_a_new_line() {
        ByteArrayOutputStream disk = new ByteArrayOutputStream();
        OutputStream full = new OutputStream() {
            private boolean fails = true;

            @Override
            public void write(int oneByte) {
                disk.write(oneByte);
            }

            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
                disk.write(bytes, from, fails ? 10 : count);
                if (fails) {
                    fails = false;
                    throw new IOException("no space left");
                }
            }
        };
        Logger log = logger(LogWriter.to(full));
        log.info("one");
        log.info("two");
        log.info("three");
        List<String> lines = disk.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).hasSize(10);
        assertThat(StrictJson.object(lines.get(1))).containsEntry("message", "two");
        assertThat((String) StrictJson.object(lines.get(2)).get("message")).startsWith("1 log lines were dropped");
        assertThat(StrictJson.object(lines.get(3))).containsEntry("message", "three");
    }

    @Test
    void a_sink_that_logs_does_not_recurse() {
        AtomicReference<Logger> log = new AtomicReference<>();
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        OutputStream talkative = new OutputStream() {
            @Override
            public void write(int oneByte) {
                lines.write(oneByte);
            }

            @Override
            public void write(byte[] bytes, int from, int count) {
                log.get().warn("writing");
                lines.write(bytes, from, count);
            }
        };
        LogWriter writer = new LogWriter(talkative, 10_000, LONG);
        log.set(logger(writer));
        log.get().info("hello");
        assertThat(lines.toString(StandardCharsets.UTF_8).lines()).hasSize(1);
        assertThat(writer.stats().dropped(Level.WARN, LineDropReason.REENTRANT)).isEqualTo(1);
    }

    @Test
    void lines_after_close_are_counted() {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        LogWriter writer = LogWriter.to(sink);
        writer.close();
        writer.close();
        logger(writer).error("late");
        assertThat(sink.size()).isZero();
        assertThat(writer.stats().dropped(Level.ERROR, LineDropReason.CLOSED)).isEqualTo(1);
    }

    @Test
    void close_writes_queued_lines() throws Exception {
        GatedSink sink = new GatedSink();
        LogWriter writer = new LogWriter(sink, 10_000, LONG);
        Logger log = logger(writer);
        Thread first = begin(sink, () -> log.info("first"));
        log.info("second");
        Thread closing = start(writer::close);
        awaitState(closing, Thread.State.TIMED_WAITING);
        sink.open();
        closing.join();
        assertThat(sink.messages()).containsExactly("first", "second");
        first.join();
    }

    @Test
    void flush_returns_false_when_it_gives_up() throws Exception {
        GatedSink sink = new GatedSink();
        LogWriter writer = new LogWriter(sink, 10_000, SHORT);
        assertThat(writer.flush()).isTrue();
        Thread first = begin(sink, () -> logger(writer).info("first"));
        assertThat(writer.flush()).isFalse();
        sink.open();
        first.join();
        assertThat(writer.flush()).isTrue();
        assertThat(writer.stats().written(Level.INFO)).isEqualTo(1);
        assertThat(writer.stats().written(Level.TRACE)).isZero();
    }

    @Test
    void drop_reasons_have_metric_labels() {
        assertThat(LineDropReason.QUEUE_FULL.label()).isEqualTo("queue_full");
        assertThat(Level.WARN.label()).isEqualTo("warn");
    }

    /** Starts a thread and waits until its write blocks. */
    private static Thread begin(GatedSink sink, Runnable action) {
        Thread thread = start(action);
        while (sink.begun() == 0) {
            Thread.onSpinWait();
        }
        return thread;
    }

    private static Thread start(Runnable action) {
        Thread thread = new Thread(action);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void awaitState(Thread thread, Thread.State state) {
        while (thread.getState() != state) {
            assertThat(thread.isAlive()).as("alive and waiting").isTrue();
            Thread.onSpinWait();
        }
    }
}
