// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;

/** Accepts traces, counts their bytes, and discards them. Thread-safe. */
final class Collector implements AutoCloseable {
    private final HttpServer server;
    private final AtomicLong bytes = new AtomicLong();

    Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            bytes.addAndGet(exchange.getRequestBody().transferTo(OutputStream.nullOutputStream()));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The number of bytes received so far. */
    long received() {
        return bytes.get();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
