// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.proxy;

import dev.porchlight.rig.process.MissingProgramException;
import dev.porchlight.rig.process.Ports;
import dev.porchlight.rig.process.Program;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * HAProxy in front of instances, set up as one does: it asks each for its readiness, spreads requests over those that are
 * ready, and tries another where a connection is refused. Thread-safe.
 */
public final class Haproxy implements AutoCloseable {
    private final ProxyProcess process;

    private Haproxy(ProxyProcess process) {
        this.process = process;
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
        return new Haproxy(ProxyProcess.start(
                List.of(program, "-db", "-f", configuration.toString()), port, directory.resolve("haproxy.log")));
    }

    public URI address() {
        return URI.create("http://localhost:" + port());
    }

    public int port() {
        return process.port();
    }

    @Override
    public void close() {
        process.close();
    }
}
