// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.http;

import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.trace.HttpServerSpans;
import dev.porchlight.observe.trace.Scope;
import dev.porchlight.observe.trace.Span;
import org.jspecify.annotations.Nullable;

/** A request between {@link HttpTelemetry#begin} and {@link #end}. Passed from thread to thread, but not shared by them. */
public final class ObservedRequest {
    private final HttpTelemetry telemetry;
    private final HttpServerRequest request;
    private final String correlationId;
    private final Logger logger;
    private final Span span;
    private @Nullable String template;

    ObservedRequest(
            HttpTelemetry telemetry, HttpServerRequest request, String correlationId, Logger logger, Span span) {
        this.telemetry = telemetry;
        this.request = request;
        this.correlationId = correlationId;
        this.logger = logger;
        this.span = span;
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

    /** Sets the route's template, for handlers that find it themselves, such as {@code /users/{id}} below {@code /users}. */
    public void template(String newTemplate) {
        template = newTemplate;
    }

    HttpServerRequest request() {
        return request;
    }

    /** Ends a request that was responded to just now. */
    public void end(@Nullable String matched, int status, long bytes, long nanos, @Nullable Throwable failure) {
        String known = template == null ? matched : template;
        end(telemetry.route(request.method(), known), status, bytes, nanos, System.nanoTime(), failure);
    }

    /**
     * Ends the request: counts it, writes its log line, and ends its span.
     *
     * @param bytes the bytes of the response's body
     * @param nanos the duration of the request
     * @param endNanos the time of its end, as {@link System#nanoTime()}
     * @param failure the server error or disconnect that ended it, if any
     */
    public void end(HttpRoute route, int status, long bytes, long nanos, long endNanos, @Nullable Throwable failure) {
        try {
            telemetry.count(route, status, nanos, endNanos, span.context());
            if (Span.current() == span) {
                telemetry.log(this, route, status, bytes, nanos);
            } else { // another thread ends the request
                Scope scope = span.makeCurrent();
                telemetry.log(this, route, status, bytes, nanos);
                scope.close();
            }
        } finally {
            HttpServerSpans.end(span, request.method(), route.template, status, failure);
        }
    }
}
