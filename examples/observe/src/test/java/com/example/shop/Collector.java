// SPDX-License-Identifier: Apache-2.0
package com.example.shop;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/** Receives spans over OTLP as JSON, like an OpenTelemetry collector. */
final class Collector implements AutoCloseable {
    private static final Pattern SPAN = Pattern.compile("\"traceId\":\"(\\w+)\".*?\"name\":\"(.*?)\"");

    private final List<String> received = new CopyOnWriteArrayList<>();
    private final HttpServer server;

    Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", exchange -> {
            received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    String address() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** The names of the spans of a trace. */
    List<String> spans(String trace) {
        return received.stream()
                .flatMap(batch -> SPAN.matcher(batch).results())
                .filter(span -> span.group(1).equals(trace))
                .map(span -> span.group(2))
                .toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
