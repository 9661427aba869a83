// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.support.Patience;
import dev.porchlight.support.ServiceLogs;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.server.Program;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A running service in a separate process. Thread-safe. */
public final class Instance implements AutoCloseable {
    private static final Duration TIMEOUT = Patience.LIMIT;

    private final Process process;
    private final int port;
    private final Path log;
    private long nextScrape = System.nanoTime();

    /** A process that will listen on this port and log to this file; also used for other programs with the same routes. */
    public Instance(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /** The same process at another of its ports. */
    public Instance at(int otherPort) {
        return new Instance(process, otherPort, log);
    }

    /** The service's address, which is also its origin unless the launch sets another. */
    public URI address() {
        return URI.create("http://localhost:" + port);
    }

    public int port() {
        return port;
    }

    public Process process() {
        return process;
    }

    /** The log of this and earlier instances in the same directory. */
    public String log() throws IOException {
        return Files.readString(log, StandardCharsets.UTF_8);
    }

    /** Opens a new connection, which waits for a response however slow the machine is. */
    public Connection connect() {
        return new Connection(address(), TIMEOUT);
    }

    /** Sends one request on a new connection. */
    public TestResponse get(String path, String... headers) throws IOException {
        try (Connection connection = connect()) {
            return connection.get(path, headers);
        }
    }

    /** Waits until the service is ready. */
    public void awaitReady(Duration atMost) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!ready()) {
            if (!process.isAlive()) {
                throw new IOException("the service exited with " + process.exitValue() + ":\n" + log());
            }
            if (System.nanoTime() > deadline) {
                throw new IOException("not ready after " + atMost + ":\n" + log());
            }
            Thread.sleep(20);
        }
    }

    /** Whether the readiness check returns 200. */
    public boolean ready() {
        try {
            return get("/health/ready").status() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Sends SIGKILL and waits for the process to end. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        ServiceLogs.close(this);
    }

    /** Sends SIGTERM without waiting. */
    public void terminate() {
        process.destroy();
    }

    /** Waits for the process to end and returns its exit status. */
    public int awaitExit(Duration atMost) throws IOException, InterruptedException {
        if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException("still running after " + atMost);
        }
        return process.exitValue();
    }

    /** Resident memory in kB, as reported by Linux. */
    public long residentKb() throws IOException {
        return residentKb(process.toHandle());
    }

    /** Resident memory of any process in kB. */
    public static long residentKb(ProcessHandle process) throws IOException {
        return kernelNumber(process, "VmRSS");
    }

    /** The number of threads, as reported by Linux. */
    public long threads() throws IOException {
        return kernelNumber(process.toHandle(), "Threads");
    }

    /** The number of open file descriptors, as reported by Linux. */
    public long descriptors() throws IOException {
        try (var open = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
            return open.count();
        }
    }

    /** A sample of {@code /metrics} by its name and labels as exported; the sum over all labels if only a name is given. */
    public double metric(String series) throws IOException {
        Pattern sample = Pattern.compile(
                "^" + Pattern.quote(series) + (series.endsWith("}") ? "" : "(?:\\{[^}]*})?") + " (\\S+)",
                Pattern.MULTILINE);
        Matcher matcher = sample.matcher(scrape());
        double sum = 0;
        while (matcher.find()) {
            sum += Double.parseDouble(matcher.group(1));
        }
        return sum;
    }

    /** Waits for a fresh scrape: the service caches a scrape for a second. */
    private synchronized String scrape() throws IOException {
        try {
            TimeUnit.NANOSECONDS.sleep(nextScrape - System.nanoTime());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
        String metrics = get("/metrics").body();
        nextScrape = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1_050);
        return metrics;
    }

    private static long kernelNumber(ProcessHandle process, String name) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    /** Sends SIGTERM, then SIGKILL after a timeout. */
    @Override
    public void close() {
        Program.end(process, TIMEOUT);
        ServiceLogs.close(this);
    }

    @Override
    public String toString() {
        return log + ", process " + process.pid();
    }

    String logOrReason() {
        try {
            return log();
        } catch (IOException e) {
            return e.toString();
        }
    }
}
