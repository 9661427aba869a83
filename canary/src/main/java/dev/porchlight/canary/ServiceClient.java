// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.canary;

import dev.porchlight.observe.trace.Propagation;
import dev.porchlight.observe.trace.SpanContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Sends requests to the service as one of its pages would, through DNS, proxies and TLS as users do. Thread-safe. */
final class ServiceClient {
    static final String USER_AGENT = "porchlight-canary";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final CanarySettings settings;

    ServiceClient(CanarySettings settings) {
        this.settings = settings;
    }

    /** The requests of one round, which have a correlation id and a trace in common. */
    Requests within(String correlationId, SpanContext span) {
        return new Requests(correlationId, span);
    }

    /** The requests of one round. */
    final class Requests {
        private final String correlationId;
        private final SpanContext span;

        private Requests(String correlationId, SpanContext span) {
            this.correlationId = correlationId;
            this.span = span;
        }

        HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
            return send("GET", settings.url() + path, BodyPublishers.noBody(), headers);
        }

        HttpResponse<String> post(String path, String json, String... headers)
                throws IOException, InterruptedException {
            return send("POST", settings.url() + path, BodyPublishers.ofString(json), headers);
        }

        HttpResponse<String> delete(String path, String... headers) throws IOException, InterruptedException {
            return send("DELETE", settings.url() + path, BodyPublishers.noBody(), headers);
        }

        HttpResponse<String> postAsAdmin(String path, String json) throws IOException, InterruptedException {
            String token = "Bearer " + settings.adminToken();
            return send("POST", settings.adminUrl() + path, BodyPublishers.ofString(json), "Authorization", token);
        }

        private HttpResponse<String> send(String method, String url, BodyPublisher body, String... headers)
                throws IOException, InterruptedException {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                    .method(method, body)
                    .timeout(TIMEOUT)
                    .header("User-Agent", USER_AGENT)
                    .header("X-Correlation-ID", correlationId);
            if (!method.equals("GET")) {
                request.header("Content-Type", "application/json").header("Origin", settings.origin());
            }
            Propagation.inject(span, request::header);
            if (headers.length > 0) {
                request.headers(headers);
            }
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }
}
