// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** A client of a running service that sends the same headers with every request. Immutable. */
final class Web {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final int port;
    private final Map<String, String> headers;
    private final BiConsumer<String, TestResponse> listener;

    Web(int port) {
        this(port, Map.of(), (request, response) -> {});
    }

    private Web(int port, Map<String, String> headers, BiConsumer<String, TestResponse> listener) {
        this.port = port;
        this.headers = headers;
        this.listener = listener;
    }

    /** The same client with a listener for responses, each with its method and path. */
    Web withListener(BiConsumer<String, TestResponse> by) {
        return new Web(port, headers, by);
    }

    Web with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Web(port, more, listener);
    }

    Web bearer(String token) {
        return with("Authorization", "Bearer " + token);
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    TestResponse get(String path) {
        return send("GET", path, BodyPublishers.noBody());
    }

    TestResponse post(String path, String json) {
        return with("Content-Type", "application/json").send("POST", path, BodyPublishers.ofString(json));
    }

    TestResponse post(String path) {
        return send("POST", path, BodyPublishers.noBody());
    }

    TestResponse patch(String path, String json) {
        return with("Content-Type", "application/json").send("PATCH", path, BodyPublishers.ofString(json));
    }

    TestResponse delete(String path) {
        return send("DELETE", path, BodyPublishers.noBody());
    }

    TestResponse send(String method, String path, BodyPublisher body) {
        var request = HttpRequest.newBuilder(uri(path)).method(method, body);
        headers.forEach(request::header);
        try {
            var response = CLIENT.send(request.build(), BodyHandlers.ofString());
            TestResponse result = new TestResponse(response.statusCode(), response.headers(), response.body());
            listener.accept(method + ' ' + path, result);
            return result;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The query string that names a user. */
    static String user(String userId) {
        return "?userId=" + URLEncoder.encode(userId, StandardCharsets.UTF_8);
    }
}
