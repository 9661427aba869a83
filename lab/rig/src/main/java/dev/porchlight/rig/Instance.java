// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.http.Response;
import dev.porchlight.rig.process.Program;
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

/** A running service, in a process of its own. Thread-safe. */
public final class Instance implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Process process;
    private final int port;
    private final Path log;
    private long nextScrape = System.nanoTime();

    /** A process that will answer at this port, and prints to this file; also one of another program with the same routes. */
    public Instance(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /** Where it is reached, which is its relying party's origin too unless the launch said otherwise. */
    public URI address() {
        return URI.create("http://localhost:" + port);
    }

    public int port() {
        return port;
    }

    public Process process() {
        return process;
    }

    /** All that was printed in its directory so far, also by the instances before it there. */
    public String log() throws IOException {
        return Files.readString(log, StandardCharsets.UTF_8);
    }

    /** A new connection to it. */
    public Connection connect(Duration timeout) {
        return new Connection(address(), timeout);
    }

    /** One request on a connection of its own. */
    public Response get(String path, String... headers) throws IOException {
        try (Connection connection = connect(PATIENCE)) {
            return connection.get(path, headers);
        }
    }

    /** Waits until it is ready. */
    public void awaitReady(Duration atMost) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!ready()) {
            if (!process.isAlive()) {
                throw new IOException("the service ended with " + process.exitValue() + ":\n" + log());
            }
            if (System.nanoTime() > deadline) {
                throw new IOException("not ready after " + atMost + ":\n" + log());
            }
            Thread.sleep(20);
        }
    }

    /** Whether its readiness answers 200. */
    public boolean ready() {
        try {
            return get("/health/ready").status() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** SIGKILL, and waits until it is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGTERM, without waiting. */
    public void terminate() {
        process.destroy();
    }

    /** Waits for its end and returns its exit status. */
    public int awaitExit(Duration atMost) throws IOException, InterruptedException {
        if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException("still running after " + atMost);
        }
        return process.exitValue();
    }

    /** Memory in RAM, in kB, as Linux tells it. */
    public long residentKb() throws IOException {
        return residentKb(process.toHandle());
    }

    /** The same of any process. */
    public static long residentKb(ProcessHandle process) throws IOException {
        return kernelNumber(process, "VmRSS");
    }

    /** Threads, as Linux tells them. */
    public long threads() throws IOException {
        return kernelNumber(process.toHandle(), "Threads");
    }

    /** Open file descriptors, as Linux tells them. */
    public long descriptors() throws IOException {
        try (var open = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
            return open.count();
        }
    }

    /** A sample of {@code /metrics} by its name and labels as they are written there; the sum where only a name is given. */
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

    /** The service reuses a scrape for a second: waits until it renders another. */
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

    /** SIGTERM, and SIGKILL if that takes too long. */
    @Override
    public void close() {
        Program.end(process, PATIENCE);
    }
}
