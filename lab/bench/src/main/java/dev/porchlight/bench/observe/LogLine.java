// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.observe;

import static net.logstash.logback.argument.StructuredArguments.keyValue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.OutputStreamAppender;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.LogFormat;
import dev.porchlight.observe.log.LogWriter;
import java.io.OutputStream;
import net.logstash.logback.encoder.LogstashEncoder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Writes one access-log line of nine fields (timestamp, level, service, message, request id; method, route, status, duration)
 * as JSON, flushed line by line, to a stream that discards it.
 */
@State(Scope.Thread)
public class LogLine {
    private final Lines theirLines = new Lines();
    private final Lines ourLines = new Lines();
    private final Logger theirs = logback(theirLines);
    private final dev.porchlight.observe.log.Logger ours = new dev.porchlight.observe.log.Logger(
                    "bench", Level.INFO, new LogFormat.Json(), LogWriter.to(ourLines))
            .child(Fields.of("requestId", "4bf92f3577b34da6"));
    private final Fields reused = new Fields();
    private int status = 200;
    private long calls;

    /** Fails the run if a side wrote too few lines. */
    @TearDown
    public void everyCallWroteOneLine() {
        if (theirLines.count + ourLines.count != calls) {
            throw new IllegalStateException(calls + " calls wrote " + (theirLines.count + ourLines.count) + " lines");
        }
    }

    @Benchmark
    public void logback() {
        calls++;
        theirs.info(
                "request",
                keyValue("requestId", "4bf92f3577b34da6"),
                keyValue("method", "GET"),
                keyValue("route", "/auth/passkey/login/options"),
                keyValue("status", status),
                keyValue("durationMs", 12));
    }

    /** The request id is bound once per request, and the fields object is reused, as in the server's access log. */
    @Benchmark
    public void ours() {
        calls++;
        ours.info(
                "request",
                reused.clear()
                        .put("method", "GET")
                        .put("route", "/auth/passkey/login/options")
                        .put("status", status)
                        .put("durationMs", 12));
    }

    /** The same with a new fields object each time. */
    @Benchmark
    public void oursFresh() {
        calls++;
        ours.info(
                "request",
                new Fields()
                        .put("method", "GET")
                        .put("route", "/auth/passkey/login/options")
                        .put("status", status)
                        .put("durationMs", 12));
    }

    /** Creates a logger of logback with JSON lines. */
    static Logger logback(OutputStream sink) {
        var context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter()); // as its SLF4J provider does; without it every append fails
        var encoder = new LogstashEncoder();
        encoder.setContext(context);
        encoder.setCustomFields("{\"service\":\"bench\"}");
        encoder.start();
        var appender = new OutputStreamAppender<ILoggingEvent>();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.setOutputStream(sink);
        appender.start();
        var logger = context.getLogger("bench");
        logger.setAdditive(false);
        logger.addAppender(appender);
        return logger;
    }

    /** Discards the output and counts the lines. */
    private static final class Lines extends OutputStream {
        private long count;

        @Override
        public void write(int oneByte) {
            count += oneByte == '\n' ? 1 : 0;
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            count += bytes[from + length - 1] == '\n' ? 1 : 0;
        }
    }
}
