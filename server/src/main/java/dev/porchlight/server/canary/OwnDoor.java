// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.canary;

import dev.porchlight.observe.trace.Propagation;
import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.http.Synthetic;
import dev.porchlight.server.tls.OwnCertificate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** The service's own listener, asked over HTTP as a page would ask it, without a way through proxies. Thread-safe. */
final class OwnDoor {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final HttpClient client;
    private final String base;
    private final String origin;
    private final String mark;
    private volatile boolean closed;

    /** The listener at a port, which shows one of the identities of {@code shown} if it speaks TLS. */
    OwnDoor(Config config, int port, String mark, Supplier<List<KeyStore>> shown) {
        HttpClient.Builder building = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(PATIENCE);
        if (config.tls().isPresent()) {
            building.sslContext(new OwnCertificate(shown).context());
        }
        this.client = building.build();
        this.base = (config.tls().isPresent() ? "https://" : "http://") + config.ownHost() + ':' + port;
        this.origin = config.relyingParty().origin();
        this.mark = mark;
    }

    HttpResponse<String> get(String path, Visit visit, String... headers) throws IOException, InterruptedException {
        return send(request(path, visit, headers).GET());
    }

    HttpResponse<String> post(String path, String json, Visit visit, String... headers)
            throws IOException, InterruptedException {
        return send(request(path, visit, headers)
                .header("Content-Type", "application/json")
                .header("Origin", origin)
                .POST(BodyPublishers.ofString(json)));
    }

    /** What the requests of one round have in common. */
    record Visit(String correlationId, SpanContext span) {}

    private HttpRequest.Builder request(String path, Visit visit, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(PATIENCE)
                .header("User-Agent", "porchlight-canary")
                .header("Sec-Fetch-Site", "same-origin")
                .header("X-Correlation-ID", visit.correlationId())
                .header(Synthetic.HEADER, mark);
        Propagation.inject(visit.span(), request::header);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request;
    }

    /** Nothing is asked any more. */
    void close() {
        closed = true;
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        if (closed) {
            throw new InterruptedException("the service stops");
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }
}
