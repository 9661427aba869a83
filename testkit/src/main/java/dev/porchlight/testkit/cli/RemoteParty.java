// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.cli;

import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

/** Any relying party over HTTP: one URL for options, and one for the response. Keeps cookies. Not thread-safe. */
final class RemoteParty {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newBuilder()
            .cookieHandler(new CookieManager())
            .connectTimeout(PATIENCE)
            .build();
    private final List<String> headers;

    /** No response, or one that is not a success. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        RefusedException(HttpRequest request, String result) {
            super(request.method() + ' ' + request.uri() + ' ' + result);
        }
    }

    /** Creates a client with these headers, as {@code NAME: VALUE}. */
    RemoteParty(List<String> headers) {
        this.headers = headers;
    }

    /** Requests options: with a body by POST, else by GET. */
    String options(String url, String body) throws InterruptedException, RefusedException {
        JsonObject options = JsonObject.parse(send(url, body));
        return (options.has("publicKey") ? options.object("publicKey") : options).toString();
    }

    String finish(String url, String body) throws InterruptedException, RefusedException {
        return send(url, body);
    }

    private String send(String url, String body) throws InterruptedException, RefusedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url)).timeout(PATIENCE).header("Accept", "application/json");
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
        }
        for (String header : headers) {
            String[] parts = header.split(":", 2);
            if (parts.length < 2) {
                throw new IllegalArgumentException("a header has the form NAME: VALUE, not " + header);
            }
            request.header(parts[0].strip(), parts[1].strip());
        }
        HttpRequest sent = request.build();
        HttpResponse<String> response;
        try {
            response = client.send(sent, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new RefusedException(sent, "failed: " + e);
        }
        if (response.statusCode() / 100 != 2) {
            throw new RefusedException(sent, "returned " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }
}
