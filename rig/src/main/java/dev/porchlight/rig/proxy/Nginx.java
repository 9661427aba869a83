// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.proxy;

import dev.porchlight.rig.process.MissingProgramException;
import dev.porchlight.rig.process.Ports;
import dev.porchlight.rig.process.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * nginx in front of an instance. It forwards upgrades, as for WebSocket, and keeps clients from a path that is for operators.
 * Thread-safe.
 */
public final class Nginx implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(10);

    private final Process process;
    private final int port;

    private Nginx(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts it in a directory for its files.
     *
     * @param instance the port of this machine that it forwards to
     * @param forbidden the beginning of paths that it answers with 403
     */
    public static Nginx start(Path directory, int instance, String forbidden)
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
        Path log = directory.resolve("nginx.log");
        Process process = new ProcessBuilder(program, "-c", configuration.toString(), "-p", directory.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Nginx proxy = new Nginx(process, port);
        proxy.awaitListening(log);
        return proxy;
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
        throw new IOException("nginx did not start: " + Files.readString(log));
    }
}
