// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.server.tls.ServerTrust;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends requests to a service, accepting any certificate and following no redirects. Nothing secret may be sent before the
 * certificate was verified.
 */
final class HttpProbe {
    /** More than any document of the service. A longer response is an error. */
    private static final int MAX_BODY = 1 << 20;

    private final Duration timeout;
    private final HttpClient client;
    private volatile List<X509Certificate> certificates = List.of();

    /** A probe with this timeout for the connection, again for the headers of a response, and again for its body. */
    HttpProbe(Duration timeout) {
        this.timeout = timeout;
        // Accepts any certificate, so that a service with an invalid one can be checked.
        var trust = new ServerTrust() {
            @Override
            protected void verify(X509Certificate[] chain) {
                certificates = List.of(chain);
            }
        };
        client = HttpClient.newBuilder()
                .sslContext(trust.context())
                .connectTimeout(timeout)
                .build();
    }

    /** The last certificate chain, the server's own first; empty before a handshake. */
    List<X509Certificate> certificates() {
        return certificates;
    }

    HttpResponse<String> get(URI address, String... headers) throws IOException {
        return send("GET", address, headers);
    }

    HttpResponse<String> send(String method, URI address, String... headers) throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address).method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(client, request, timeout);
    }

    /** Sends a request with another client. */
    static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request, Duration timeout)
            throws IOException {
        CompletableFuture<HttpResponse<String>> exchange = client.sendAsync(
                request.timeout(timeout).build(),
                response -> BodySubscribers.mapping(BodySubscribers.ofInputStream(), HttpProbe::read));
        try {
            // The request's own timeout ends with the headers; a body may take forever.
            return exchange.get(3 * timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            exchange.cancel(true);
            throw new HttpTimeoutException("the response does not end");
        } catch (ExecutionException e) {
            Throwable cause =
                    e.getCause() instanceof UncheckedIOException unchecked ? unchecked.getCause() : e.getCause();
            throw cause instanceof IOException failure ? failure : new IOException(String.valueOf(cause), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** The message of a failure, or its kind. */
    static String cause(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private static String read(InputStream body) {
        try {
            byte[] bytes = body.readNBytes(MAX_BODY + 1);
            if (bytes.length > MAX_BODY) {
                throw new IOException("the response is longer than 1 MiB");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
