// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.spring;

import com.sun.net.httpserver.HttpServer;
import dev.porchlight.observe.http.TelemetryEndpoints;
import dev.porchlight.observe.http.TelemetryHandlers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A separate port for the endpoints. Thread-safe. */
final class TelemetryPort implements AutoCloseable {
    private static final int THREADS = 4; // a scrape must not delay a probe

    private final HttpServer server;
    private final ExecutorService threads;

    TelemetryPort(int port, String path, TelemetryEndpoints endpoints) throws IOException {
        server = HttpServer.create(new InetSocketAddress(port), 0);
        threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "observe-endpoints");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        new TelemetryHandlers(endpoints).mount(server, path);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
