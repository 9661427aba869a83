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

    /** A client that never completes its request must not keep a thread. The JDK has no other way to set it. */
    private static final String REQUEST_SECONDS = "sun.net.httpserver.maxReqTime";

    private final HttpServer server;
    private final ExecutorService threads;

    TelemetryPort(InetSocketAddress address, String path, TelemetryEndpoints endpoints) throws IOException {
        limitRequests();
        server = listen(address);
        threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "observe-endpoints");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        new TelemetryHandlers(endpoints).mount(server, path);
        server.start();
    }

    /** The JDK reads the limit once, with the first server of the process. */
    static void limitRequests() {
        if (System.getProperty(REQUEST_SECONDS) == null) {
            System.setProperty(REQUEST_SECONDS, "5");
        }
    }

    private static HttpServer listen(InetSocketAddress address) throws IOException {
        try {
            return HttpServer.create(address, 0);
        } catch (IOException e) {
            String wanted = address.getHostString() + ':' + address.getPort();
            throw new IOException(
                    "the endpoints cannot listen on " + wanted + " (" + e.getMessage()
                            + "); change porchlight.observe.port or porchlight.observe.address",
                    e);
        }
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
