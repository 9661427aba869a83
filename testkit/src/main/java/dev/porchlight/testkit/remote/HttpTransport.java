// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.remote;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Sends requests with the JDK's client. Thread-safe. */
record HttpTransport(HttpClient client, URI address, Duration timeout) implements Transport {
    @Override
    public TestResponse send(String method, String path, @Nullable String body, String... headers) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(timeout)
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            var response = client.send(request.build(), BodyHandlers.ofString());
            return new TestResponse(response.statusCode(), response.headers(), response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }
}
