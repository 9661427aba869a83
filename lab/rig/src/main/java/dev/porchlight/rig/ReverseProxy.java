// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig;

import dev.porchlight.support.Patience;
import dev.porchlight.testkit.server.MissingProgramException;
import dev.porchlight.testkit.server.Ports;
import dev.porchlight.testkit.server.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** HAProxy or nginx in front of instances, on a local port. Thread-safe. */
public final class ReverseProxy implements AutoCloseable {
    private static final Duration START = Patience.LIMIT;

    private final Process process;
    private final int port;

    private ReverseProxy(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts HAProxy in a typical setup: it checks each instance's readiness, balances requests over the ready ones, and
     * retries another instance when a connection is refused.
     *
     * @param directory the directory for its files
     * @param ports the instances' local ports
     * @param rule a frontend rule, or empty
     */
    public static ReverseProxy haproxy(Path directory, List<Integer> ports, String rule)
            throws IOException, InterruptedException, MissingProgramException {
        String program = Program.require("haproxy");
        int port = Ports.free();
        StringBuilder servers = new StringBuilder();
        for (int each : ports) {
            servers.append("    server s%1$d 127.0.0.1:%1$d check inter 200ms fall 2 rise 2\n".formatted(each));
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
            %s\
            """.formatted(port, rule, servers));
        return start(List.of(program, "-db", "-f", configuration.toString()), port, directory.resolve("haproxy.log"));
    }

    /**
     * Starts nginx, which forwards upgrades as for WebSocket, and blocks an operators' path.
     *
     * @param directory the directory for its files
     * @param instance the local port to forward to
     * @param forbidden a path prefix that gets 403
     */
    public static ReverseProxy nginx(Path directory, int instance, String forbidden)
            throws IOException, InterruptedException, MissingProgramException {
        String program = Program.require("nginx");
        int port = Ports.free();
        Files.createDirectories(directory);
        Path configuration = directory.resolve("nginx.conf");
        Files.writeString(configuration, """
            daemon off;
            worker_processes 1;
            pid %1$s/nginx.pid;
            error_log stderr;
            events {}
            http {
                access_log off;
                client_body_temp_path %1$s/body;
                proxy_temp_path %1$s/proxy;
                fastcgi_temp_path %1$s/fastcgi;
                uwsgi_temp_path %1$s/uwsgi;
                scgi_temp_path %1$s/scgi;
                server {
                    listen 127.0.0.1:%2$d;
                    location %4$s {
                        return 403;
                    }
                    location / {
                        proxy_pass http://127.0.0.1:%3$d;
                        proxy_http_version 1.1;
                        proxy_set_header Host $host;
                        proxy_set_header X-Forwarded-For $remote_addr;
                        proxy_set_header Upgrade $http_upgrade;
                        proxy_set_header Connection $http_connection;
                        proxy_set_header HTTP2-Settings $http_http2_settings;
                    }
                }
            }
            """.formatted(directory, port, instance, forbidden));
        return start(
                List.of(program, "-c", configuration.toString(), "-p", directory.toString()),
                port,
                directory.resolve("nginx.log"));
    }

    /** Runs the command and waits until it listens. Its output goes to the log. */
    private static ReverseProxy start(List<String> command, int port, Path log)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        ReverseProxy proxy = new ReverseProxy(process, port);
        proxy.awaitListening(command.get(0), log);
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
        Program.end(process, Duration.ofSeconds(5));
    }

    private void awaitListening(String program, Path log) throws IOException, InterruptedException {
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
        throw new IOException(program + " did not start: " + Files.readString(log));
    }
}
