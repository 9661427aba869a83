// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.metadata;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.porchlight.testkit.SoftMetadata;
import dev.porchlight.testkit.server.Ports;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A web server with the metadata of authenticators, which can fail. Thread-safe. */
final class MetadataSite implements AutoCloseable {
    /** A model that metadata 7 reports as compromised, and any other metadata as certified. */
    static final UUID COMPROMISED = UUID.fromString("a5a5a5a5-a5a5-a5a5-a5a5-a5a5a5a5a5a5");

    /** A model with this name in metadata 7 only. */
    static final UUID NAMED = UUID.fromString("b6b6b6b6-b6b6-b6b6-b6b6-b6b6b6b6b6b6");

    static final String NAME = "Soft key";

    private static final long NUMBER = 7;
    /** The metadata is due for replacement before the last fault. */
    private static final int VALID_DAYS = 3;

    private final int port = Ports.free();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger requests = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable HttpServer server;
    private volatile State state = State.GOOD;

    /** What the server returns, and what a warning then says. */
    enum State {
        GOOD("", 200),
        OLDER("6 is older than 7", 200),
        EXPIRED("certificate has expired", 200),
        IMPOSTOR("no path to a configured root", 200),
        CHANGED("does not verify", 200),
        TRUNCATED("not a JWS", 200),
        CUT("bytes received", 200),
        UNAVAILABLE("the status is 503", 503),
        HUNG("timed out", 200),
        DOWN("no response from 127.0.0.1", 200),
        NEWER("", 200);

        final String warning;
        private final int status;

        State(String warning, int status) {
            this.warning = warning;
            this.status = status;
        }
    }

    String url() {
        return "http://127.0.0.1:" + port + "/";
    }

    synchronized void become(State next) throws IOException {
        state = next;
        if (next == State.DOWN) {
            stop();
        } else if (server == null) {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            server.createContext("/", this::respond);
            server.setExecutor(threads);
            server.start();
        }
    }

    /** The number of requests so far. */
    int requests() {
        return requests.get();
    }

    private void respond(HttpExchange exchange) throws IOException {
        try (exchange) {
            State now = state;
            requests.incrementAndGet();
            if (now == State.HUNG) {
                closed.await();
            }
            byte[] body = blob(now).getBytes(ISO_8859_1);
            exchange.sendResponseHeaders(now.status, body.length);
            OutputStream out = exchange.getResponseBody();
            out.write(body, 0, now == State.CUT ? body.length / 2 : body.length);
            out.flush(); // closing an incomplete response drops what is still in the buffer
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String blob(State state) {
        if (state == State.GOOD) {
            String soon = LocalDate.now(ZoneOffset.UTC).plusDays(VALID_DAYS).toString();
            return new SoftMetadata(NUMBER, soon)
                    .model(NAMED, NAME)
                    .model(COMPROMISED, "Compromised key", "REVOKED")
                    .sign();
        }
        SoftMetadata other = new SoftMetadata(state == State.OLDER ? NUMBER - 1 : NUMBER + 1, "2049-01-01")
                .model(NAMED, "Another key")
                .model(COMPROMISED, "Certified key", "FIDO_CERTIFIED_L1");
        String blob = other.sign();
        return switch (state) {
            case EXPIRED -> other.signerExpiry(Instant.now().minusSeconds(60)).sign();
            case IMPOSTOR -> other.impostor().sign();
            case CHANGED ->
                blob.substring(0, blob.lastIndexOf('.')) + other.sign().substring(blob.lastIndexOf('.'));
            case TRUNCATED -> blob.substring(0, blob.length() / 2);
            default -> blob;
        };
    }

    private synchronized void stop() {
        if (server != null) {
            server.stop(0);
            server = null;
        }
    }

    @Override
    public void close() {
        closed.countDown();
        stop();
        threads.shutdownNow();
    }
}
