// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.proxy;

import dev.porchlight.rig.process.MissingProgramException;
import dev.porchlight.rig.process.Ports;
import dev.porchlight.rig.process.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * nginx in front of an instance. It forwards upgrades, as for WebSocket, and keeps clients from a path that is for operators.
 * Thread-safe.
 */
public final class Nginx implements AutoCloseable {
    private final ProxyProcess process;

    private Nginx(ProxyProcess process) {
        this.process = process;
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
        return new Nginx(ProxyProcess.start(
                List.of(program, "-c", configuration.toString(), "-p", directory.toString()),
                port,
                directory.resolve("nginx.log")));
    }

    public int port() {
        return process.port();
    }

    @Override
    public void close() {
        process.close();
    }
}
