// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Asks a service for something, whatever certificate it shows, and follows no redirect. */
final class Probe {
    private final Trust trust = new Trust();
    private final Duration timeout;
    private final HttpClient client;

    /** A probe with this timeout for the connection, and again for the response. */
    Probe(Duration timeout) {
        this.timeout = timeout;
        client = HttpClient.newBuilder()
                .sslContext(trust.context())
                .connectTimeout(timeout)
                .build();
    }

    /** What TLS handshakes showed. */
    Trust trust() {
        return trust;
    }

    HttpResponse<String> get(URI address, String... headers) throws IOException {
        return send("GET", address, headers);
    }

    HttpResponse<String> send(String method, URI address, String... headers) throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address).timeout(timeout).method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
