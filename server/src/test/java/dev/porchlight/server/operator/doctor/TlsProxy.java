// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.porchlight.testkit.attestation.ServerIdentity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A proxy that terminates TLS and forwards requests over http, as nginx does. */
final class TlsProxy implements AutoCloseable {
    private static final Set<String> HOP =
            Set.of("content-length", "connection", "transfer-encoding", "date", ":status");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpsServer server;
    private volatile int port;
    private volatile String proto = "";

    TlsProxy(ServerIdentity identity) throws Exception {
        server = HttpsServer.create(new InetSocketAddress("localhost", 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context(identity)));
        server.createContext("/", this::forward);
        server.start();
    }

    String url() {
        return "https://localhost:" + server.getAddress().getPort();
    }

    /** Forwards requests to this port, with this X-Forwarded-Proto unless it is empty. */
    void forwardTo(int newPort, String newProto) {
        port = newPort;
        proto = newProto;
    }

    private void forward(HttpExchange exchange) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + port).resolve(exchange.getRequestURI()))
                .method(
                        exchange.getRequestMethod(),
                        HttpRequest.BodyPublishers.ofByteArray(
                                exchange.getRequestBody().readAllBytes()));
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        if (!proto.isEmpty()) {
            request.header("X-Forwarded-Proto", proto);
        }
        try (exchange) {
            HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            response.headers().map().forEach((name, values) -> {
                if (!HOP.contains(name)) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            exchange.sendResponseHeaders(
                    response.statusCode(), response.body().length == 0 ? -1 : response.body().length);
            exchange.getResponseBody().write(response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static SSLContext context(ServerIdentity identity) throws Exception {
        byte[] key = Base64.getMimeDecoder().decode(identity.keyPem().replaceAll("-----[A-Z ]+-----", ""));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "server",
                KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key)),
                new char[0],
                new Certificate[] {identity.certificate()});
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
