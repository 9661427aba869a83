// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;

/** A collector that sends scripted responses, then 200, and records requests. */
public final class CollectorStub implements AutoCloseable {
    public record Request(
            String method, String path, String protocol, Map<String, List<String>> headers, ByteString body) {
        public String header(String name) {
            return headers.entrySet().stream()
                    .filter(entry -> entry.getKey().equalsIgnoreCase(name))
                    .map(entry -> String.join(",", entry.getValue()))
                    .findFirst()
                    .orElse(null);
        }

        public byte[] plain() throws IOException {
            InputStream in = body.newInput();
            return ("gzip".equals(header("Content-Encoding")) ? new GZIPInputStream(in) : in).readAllBytes();
        }
    }

    public interface ScriptedResponse {
        void to(HttpExchange exchange) throws IOException, InterruptedException;
    }

    private final HttpServer server;
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final CountDownLatch closing = new CountDownLatch(1);
    public final Queue<ScriptedResponse> script = new ConcurrentLinkedQueue<>();
    public final List<Request> requests = new ArrayList<>();

    public CollectorStub() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(executor);
        server.createContext("/", this::handle);
        server.start();
    }

    public String base() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public static ScriptedResponse respond(int status, String... headers) {
        return respond(status, new byte[0], headers);
    }

    public static ScriptedResponse respond(int status, byte[] body, String... headers) {
        return exchange -> {
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
            }
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        };
    }

    public static ScriptedResponse disconnect() {
        return HttpExchange::close;
    }

    /** Accepts the request and never responds. */
    public ScriptedResponse hang() {
        return exchange -> closing.await();
    }

    /** Sends the response headers and never the body. */
    public ScriptedResponse hangAfterHeaders() {
        return exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write('x');
            exchange.getResponseBody().flush();
            closing.await();
        };
    }

    public synchronized List<Request> requests() {
        return List.copyOf(requests);
    }

    private void handle(HttpExchange exchange) throws IOException {
        Request request = new Request(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                exchange.getProtocol(),
                Map.copyOf(exchange.getRequestHeaders()),
                ByteString.readFrom(exchange.getRequestBody()));
        synchronized (this) {
            requests.add(request);
        }
        ScriptedResponse next = script.poll();
        try {
            (next == null ? respond(200) : next).to(exchange);
        } catch (InterruptedException e) {
            exchange.close();
        }
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        executor.shutdownNow();
    }
}
