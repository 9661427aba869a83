// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.remote;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Sends HTTP requests to one service. */
public interface Transport {
    /** The address of the service, without a path. */
    URI address();

    /**
     * Sends a request and returns the response, whatever its status.
     *
     * @param body null for none
     * @param headers pairs of name and value
     * @throws IOException if the response is incomplete; the service may have processed the request
     */
    TestResponse send(String method, String path, @Nullable String body, String... headers) throws IOException;

    default TestResponse get(String path, String... headers) throws IOException {
        return send("GET", path, null, headers);
    }

    default TestResponse post(String path, String json, String... headers) throws IOException {
        return send("POST", path, json, and(headers, "Content-Type", "application/json"));
    }

    /** Sends a form, which is already encoded. */
    default TestResponse postForm(String path, String form, String... headers) throws IOException {
        return send("POST", path, form, and(headers, "Content-Type", "application/x-www-form-urlencoded"));
    }

    /** These headers and more. */
    static String[] and(String[] headers, String... more) {
        String[] all = Arrays.copyOf(headers, headers.length + more.length);
        System.arraycopy(more, 0, all, headers.length, more.length);
        return all;
    }

    /** A transport with its own client of the JDK: HTTP/2 if the service offers it over TLS, as in browsers. Thread-safe. */
    static Transport to(URI address, Duration timeout) {
        HttpClient.Version version =
                "https".equals(address.getScheme()) ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1;
        return over(HttpClient.newBuilder().version(version).build(), address, timeout);
    }

    /** A transport with a shared client. Thread-safe. */
    static Transport over(HttpClient client, URI address, Duration timeout) {
        return new HttpTransport(client, address, timeout);
    }
}
