// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Sends requests to a service, accepting any certificate and following no redirects. */
final class HttpProbe {
    private final RecordingTrust trust = new RecordingTrust();
    private final Duration timeout;
    private final HttpClient client;

    /** A probe with this timeout for the connection, and again for the response. */
    HttpProbe(Duration timeout) {
        this.timeout = timeout;
        client = HttpClient.newBuilder()
                .sslContext(trust.context())
                .connectTimeout(timeout)
                .build();
    }

    /** The certificates seen in TLS handshakes. */
    RecordingTrust trust() {
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
