// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.http;

import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.trace.HttpServerSpans;
import dev.porchlight.observe.trace.Scope;
import dev.porchlight.observe.trace.Span;
import org.jspecify.annotations.Nullable;

/** A request between {@link HttpTelemetry#begin} and {@link #end}. Passed from thread to thread, but not shared by them. */
public final class ObservedRequest {
    /** The status when the client closed the connection before it received the response. */
    public static final int CLIENT_CLOSED_REQUEST = 499;

    private final HttpTelemetry telemetry;
    private final HttpServerRequest request;
    private final String correlationId;
    private final Logger logger;
    private final Span span;
    private final long startNanos;
    private @Nullable String template;
    private long bytes;

    ObservedRequest(
            HttpTelemetry telemetry,
            HttpServerRequest request,
            String correlationId,
            Logger logger,
            Span span,
            long startNanos) {
        this.telemetry = telemetry;
        this.request = request;
        this.correlationId = correlationId;
        this.logger = logger;
        this.span = span;
        this.startNanos = startNanos;
    }

    /** The id that the response must echo in {@link CorrelationId#HEADER}. */
    public String correlationId() {
        return correlationId;
    }

    /** A logger that adds the correlation id to every line. */
    public Logger logger() {
        return logger;
    }

    /** The request's span; a no-op span if the request is not traced. */
    public Span span() {
        return span;
    }

    /** Makes the request the calling thread's: log lines of libraries then carry its correlation id and its span's ids. */
    public Scope makeCurrent() {
        return span.makeCurrent(correlationId);
    }

    /** Counts bytes of the response's body. */
    public void sent(long count) {
        bytes += count;
    }

    /** Sets the route's template, for handlers that find it themselves, such as {@code /users/{id}} below {@code /users}. */
    public void template(String newTemplate) {
        template = newTemplate;
    }

    HttpServerRequest request() {
        return request;
    }

    /** Ends a request that was responded to just now. Its duration counts from its beginning, its bytes were {@link #sent}. */
    public void end(@Nullable String matched, int status, @Nullable Throwable failure) {
        long now = System.nanoTime();
        HttpRoute route = telemetry.route(request.method(), template == null ? matched : template);
        end(route, status, bytes, now - startNanos, now, failure);
    }

    /**
     * Ends the request: counts it, writes its log line, and ends its span.
     *
     * @param body the bytes of the response's body
     * @param nanos the duration of the request
     * @param endNanos the time of its end, as {@link System#nanoTime()}
     * @param failure the server error or disconnect that ended it, if any
     */
    public void end(HttpRoute route, int status, long body, long nanos, long endNanos, @Nullable Throwable failure) {
        try {
            telemetry.count(route, status, nanos, endNanos, span.context());
            if (Span.current() == span) {
                telemetry.log(this, route, status, body, nanos);
            } else { // another thread ends the request
                Scope scope = makeCurrent();
                telemetry.log(this, route, status, body, nanos);
                scope.close();
            }
        } finally {
            HttpServerSpans.end(span, route.spanName, route.template, status, failure);
        }
    }
}
