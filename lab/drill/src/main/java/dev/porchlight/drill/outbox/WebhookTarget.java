// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.porchlight.testkit.server.Ports;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A receiver of webhooks that can fail. Thread-safe. */
final class WebhookTarget implements AutoCloseable {
    private final int port = Ports.free();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<String> users = ConcurrentHashMap.newKeySet();
    private final AtomicInteger messages = new AtomicInteger();
    private @Nullable HttpServer server;
    private volatile State state = State.DOWN;

    /** How the receiver responds. */
    enum State {
        DOWN,
        HUNG,
        REFUSING,
        UP
    }

    String url() {
        return "http://127.0.0.1:" + port + "/events";
    }

    /** The users whose events were accepted. */
    Set<String> users() {
        return users;
    }

    /** The number of messages that were accepted, with copies. */
    int messages() {
        return messages.get();
    }

    synchronized void become(State next) throws IOException {
        state = next;
        notifyAll();
        if (next == State.DOWN) {
            stop();
        } else if (server == null) {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            server.createContext("/", this::receive);
            server.setExecutor(threads);
            server.start();
        }
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            awaitUnlessHung();
            if (state == State.UP) {
                users.add(JsonObject.parse(body).object("data").string("userId"));
                messages.incrementAndGet();
            }
            exchange.sendResponseHeaders(state == State.UP ? 204 : 503, -1);
        }
    }

    private synchronized void awaitUnlessHung() throws IOException {
        try {
            while (state == State.HUNG) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private synchronized void stop() {
        if (server != null) {
            server.stop(0);
            server = null;
        }
    }

    @Override
    public void close() {
        stop();
        threads.shutdownNow();
    }
}
