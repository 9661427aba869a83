// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An endpoint of webhooks, which checks signatures without code of the service. */
final class WebhookReceiver implements AutoCloseable {
    /** A received message. */
    record Message(String id, String timestamp, List<String> signatures, String body) {
        JsonObject json() {
            return JsonObject.parse(body);
        }

        String type() {
            return json().string("type");
        }

        JsonObject data() {
            return json().object("data");
        }

        /** Whether this secret has signed it. */
        boolean isSignedWith(String secret) {
            assertThat(secret).startsWith("whsec_");
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(
                        Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
                byte[] hash = mac.doFinal((id + "." + timestamp + "." + body).getBytes(UTF_8));
                return signatures.contains("v1," + Base64.getEncoder().encodeToString(hash));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private final HttpServer server;
    private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();

    /** Responds with these statuses. */
    WebhookReceiver(IntSupplier status) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            var headers = exchange.getRequestHeaders();
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            messages.add(new Message(
                    headers.getFirst("webhook-id"),
                    headers.getFirst("webhook-timestamp"),
                    List.of(headers.getFirst("webhook-signature").split(" ")),
                    body));
            exchange.getResponseHeaders().add("Location", "/elsewhere");
            exchange.sendResponseHeaders(status.getAsInt(), -1);
            exchange.close();
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    Message next() {
        try {
            return Objects.requireNonNull(messages.poll(Patience.SECONDS, TimeUnit.SECONDS), "no message");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The messages up to one of this type, in the order in which they came. */
    List<Message> until(String type) {
        return Stream.iterate(next(), last -> last != null, last -> last.type().equals(type) ? null : next())
                .toList();
    }

    List<Message> rest() {
        return List.copyOf(messages);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
