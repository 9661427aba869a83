// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.http;

import dev.porchlight.observe.trace.Attributes;
import dev.porchlight.observe.trace.HttpServerSpans;
import dev.porchlight.observe.trace.Propagation;
import dev.porchlight.observe.trace.Span;
import dev.porchlight.observe.trace.SpanKind;
import dev.porchlight.observe.trace.SpanStatus;
import dev.porchlight.observe.trace.Tracer;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client that starts a client span for each request, as a child of the thread's current span, and sends it as {@code
 * traceparent}. Everything else is left to the wrapped client, which the application closes itself. Thread-safe.
 *
 * <p>Spans contain neither the query nor user and password of the URL. A status of 400 and above fails the span.
 */
public final class TracedHttpClient extends HttpClient {
    private final HttpClient client;
    private final Tracer tracer;

    public TracedHttpClient(HttpClient client, Tracer tracer) {
        this.client = Objects.requireNonNull(client, "client");
        this.tracer = Objects.requireNonNull(tracer, "tracer");
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        Span span = start(request);
        Throwable failure = null;
        HttpResponse<T> response = null;
        try {
            response = client.send(traced(request, span), handler);
            return response;
        } catch (Throwable thrown) {
            failure = thrown;
            throw thrown;
        } finally {
            end(span, response, failure);
        }
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        return async(request, traced -> client.sendAsync(traced, handler));
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
        return async(request, traced -> client.sendAsync(traced, handler, pushes));
    }

    private <T> CompletableFuture<HttpResponse<T>> async(
            HttpRequest request, Function<HttpRequest, CompletableFuture<HttpResponse<T>>> send) {
        Span span = start(request);
        try {
            return send.apply(traced(request, span)).whenComplete((response, failure) -> end(span, response, failure));
        } catch (RuntimeException refused) {
            end(span, null, refused);
            throw refused;
        }
    }

    private Span start(HttpRequest request) {
        String method = request.method();
        Span span = tracer.start(HttpServerSpans.name(method, null), Attributes.none(), SpanKind.CLIENT);
        if (span.recording()) {
            URI uri = request.uri();
            boolean https = "https".equalsIgnoreCase(uri.getScheme());
            int port = uri.getPort() >= 0 ? uri.getPort() : https ? 443 : 80;
            String authority = uri.getPort() >= 0 ? uri.getHost() + ":" + uri.getPort() : uri.getHost();
            span.set(HttpServerSpans.METHOD, HttpServerSpans.method(method))
                    .set("server.address", uri.getHost())
                    .set("server.port", port)
                    .set("url.full", uri.getScheme() + "://" + authority + uri.getRawPath());
        }
        return span;
    }

    private static HttpRequest traced(HttpRequest request, Span span) {
        if (!span.context().valid()) {
            return request;
        }
        HttpRequest.Builder builder = HttpRequest.newBuilder(request, (name, value) -> true);
        Propagation.inject(span.context(), builder::setHeader);
        return builder.build();
    }

    private static void end(Span span, @Nullable HttpResponse<?> response, @Nullable Throwable failure) {
        if (response != null) {
            int status = response.statusCode();
            span.set(HttpServerSpans.STATUS_CODE, status);
            if (status >= 400) {
                span.set(HttpServerSpans.ERROR_TYPE, Integer.toString(status)).status(SpanStatus.ERROR);
            }
            span.end();
        } else if (failure != null) {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            span.set(HttpServerSpans.ERROR_TYPE, cause.getClass().getName()).end(cause);
        }
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }

    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return client.newWebSocketBuilder();
    }
}
