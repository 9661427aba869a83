// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.proxy;

import dev.porchlight.rig.process.MissingProgramException;
import dev.porchlight.rig.process.Ports;
import dev.porchlight.rig.process.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * HAProxy in front of instances, set up as one does: it asks each for its readiness, spreads requests over those that are
 * ready, and tries another where a connection is refused. Thread-safe.
 */
public final class Haproxy implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(10);

    private final Process process;
    private final int port;

    private Haproxy(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts it in a directory for its files, in front of these ports of this machine. */
    public static Haproxy start(Path directory, List<Integer> ports)
            throws IOException, InterruptedException, MissingProgramException {
        return start(directory, ports, "");
    }

    /** The same with a rule of its frontend. */
    public static Haproxy start(Path directory, List<Integer> ports, String rule)
            throws IOException, InterruptedException, MissingProgramException {
        String program = Program.require("haproxy");
        int port = Ports.free();
        StringBuilder servers = new StringBuilder();
        for (int each : ports) {
            servers.append("    server s")
                    .append(each)
                    .append(" 127.0.0.1:")
                    .append(each)
                    .append(" check inter 200ms fall 2 rise 2\n");
        }
        Files.createDirectories(directory);
        Path configuration = directory.resolve("haproxy.cfg");
        Files.writeString(configuration, """
                defaults
                    mode http
                    timeout connect 2s
                    timeout client 30s
                    timeout server 30s
                    timeout check 2s
                    retries 3
                    option redispatch
                    option httpchk GET /health/ready
                frontend front
                    bind 127.0.0.1:%d
                    %s
                    default_backend instances
                backend instances
                    balance roundrobin
                %s""".formatted(port, rule, servers));
        Process process = new ProcessBuilder(program, "-db", "-f", configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("haproxy.log").toFile())
                .start();
        var proxy = new Haproxy(process, port);
        proxy.awaitListening(directory.resolve("haproxy.log"));
        return proxy;
    }

    public URI address() {
        return URI.create("http://localhost:" + port);
    }

    public int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void awaitListening(Path log) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START.toNanos();
        while (System.nanoTime() < deadline && process.isAlive()) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException notYet) {
                Thread.sleep(20);
            }
        }
        close();
        throw new IOException("haproxy did not start: " + Files.readString(log));
    }
}
