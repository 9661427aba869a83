// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.remote;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A client of a running service that sends the same headers with every request. Throws {@link UncheckedIOException} if a
 * response is incomplete. Immutable.
 */
public final class Web {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Transport transport;
    private final Map<String, String> headers;
    private final BiConsumer<String, TestResponse> listener;

    /** A client of the service on a port of this machine. */
    public Web(int port) {
        this(Transport.over(CLIENT, URI.create("http://127.0.0.1:" + port), TIMEOUT));
    }

    public Web(Transport transport) {
        this(transport, Map.of(), (request, response) -> {});
    }

    private Web(Transport transport, Map<String, String> headers, BiConsumer<String, TestResponse> listener) {
        this.transport = transport;
        this.headers = headers;
        this.listener = listener;
    }

    /** The same client with a listener for responses, each with its method and path. */
    public Web withListener(BiConsumer<String, TestResponse> by) {
        return new Web(transport, headers, by);
    }

    /** The same client with more headers, which are pairs of name and value. */
    public Web with(String... more) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return new Web(transport, all, listener);
    }

    /** The same client without headers. */
    public Web anonymous() {
        return new Web(transport, Map.of(), listener);
    }

    public Web bearer(String token) {
        return with("Authorization", "Bearer " + token);
    }

    public Web cookie(String cookie) {
        return with("Cookie", cookie);
    }

    public URI uri(String path) {
        return URI.create(transport.address() + path);
    }

    public TestResponse get(String path) {
        return send("GET", path, null);
    }

    public TestResponse post(String path, String json) {
        return with("Content-Type", "application/json").send("POST", path, json);
    }

    public TestResponse post(String path) {
        return send("POST", path, null);
    }

    /** Sends a form with these parameters. */
    public TestResponse postForm(String path, Map<String, String> parameters) {
        return with("Content-Type", "application/x-www-form-urlencoded")
                .send("POST", path, OpenIdClient.form(parameters));
    }

    public TestResponse patch(String path, String json) {
        return with("Content-Type", "application/json").send("PATCH", path, json);
    }

    public TestResponse delete(String path) {
        return send("DELETE", path, null);
    }

    public TestResponse send(String method, String path, @Nullable String body) {
        String[] pairs = headers.entrySet().stream()
                .flatMap(header -> Stream.of(header.getKey(), header.getValue()))
                .toArray(String[]::new);
        try {
            TestResponse response = transport.send(method, path, body, pairs);
            listener.accept(method + ' ' + path, response);
            return response;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The query string that names a user. */
    public static String user(String userId) {
        return "?userId=" + URLEncoder.encode(userId, StandardCharsets.UTF_8);
    }
}
