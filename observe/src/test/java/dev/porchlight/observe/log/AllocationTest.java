// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.porchlight.observe.trace.SpanContext;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AllocationTest {
    static LogFormat[] formats() {
        return new LogFormat[] {new LogFormat.Json(), new LogFormat.Cloud("project", "version")};
    }

    @ParameterizedTest
    @MethodSource("formats")
    void a_line_of_nine_fields_allocates_nothing_once_warm(LogFormat format) {
        SpanContext trace = new SpanContext(1, 2, 3, 1, "", false);
        LogWriter writer = LogWriter.to(OutputStream.nullOutputStream());
        Logger log = new Logger("auth", Thresholds.of(Level.INFO), format, writer, () -> trace, Clock.systemUTC())
                .child(Fields.of("requestId", "r-1", "userId", "u-1"));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long me = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 6; attempt++) { // JIT compilation may take a few rounds
            long before = threads.getThreadAllocatedBytes(me);
            write(log, 50_000);
            least = Math.min(least, threads.getThreadAllocatedBytes(me) - before);
        }
        assertThat(least)
                .isLessThan(50_000); // less than one byte per line: the timestamp text is rendered once a second
        assertThat(writer.stats().written(Level.INFO)).isEqualTo(300_000);
    }

    private static void write(Logger log, int lines) {
        Fields fields = new Fields();
        for (int i = 0; i < lines; i++) {
            log.info(
                    "served",
                    fields.clear()
                            .put("method", "POST")
                            .put("route", "/auth/passkey/login/finish")
                            .put("status", 200)
                            .put("durationMs", i / 8.0)
                            .put("ok", true));
        }
    }
}
