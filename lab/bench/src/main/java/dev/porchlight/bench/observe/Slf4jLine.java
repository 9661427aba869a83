// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.observe;

import ch.qos.logback.classic.Logger;
import dev.porchlight.observe.log.JdkLoggerFinder;
import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.LogFormat;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.slf4j.Slf4jProvider;
import java.io.OutputStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Writes one line through the API of SLF4J 2, with two arguments in the message and one key-value pair, as JSON, to a stream
 * that discards it.
 */
@State(Scope.Thread)
public class Slf4jLine {
    private final Logger theirs = LogLine.logback(OutputStream.nullOutputStream());
    private final Slf4jProvider provider = new Slf4jProvider();
    private org.slf4j.Logger ours = theirs;
    private int attempt;

    @Setup
    public void install() {
        JdkLoggerFinder.install(new dev.porchlight.observe.log.Logger(
                "bench", Level.INFO, new LogFormat.Json(), LogWriter.to(OutputStream.nullOutputStream())));
        provider.initialize();
        ours = provider.getLoggerFactory().getLogger("com.example.Orders");
    }

    @Benchmark
    public void logback() {
        line(theirs);
    }

    @Benchmark
    public void ours() {
        line(ours);
    }

    private void line(org.slf4j.Logger logger) {
        logger.atInfo().addKeyValue("order", 4711).log("paid {} after {} attempts", "EUR 12.99", attempt++ & 7);
    }
}
