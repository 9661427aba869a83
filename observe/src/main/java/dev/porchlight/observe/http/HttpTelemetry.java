// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.http;

import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.metrics.HttpMetrics;
import dev.porchlight.observe.profile.RouteProfiler;
import dev.porchlight.observe.trace.Attributes;
import dev.porchlight.observe.trace.HttpServerSpans;
import dev.porchlight.observe.trace.Propagation;
import dev.porchlight.observe.trace.Scope;
import dev.porchlight.observe.trace.Span;
import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.observe.trace.SpanKind;
import dev.porchlight.observe.trace.Tracer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The telemetry of every request, under its route's template: a correlation id that the response echoes, a logger bound to it, a
 * span that continues the caller's trace, a count, a duration, a profile, and a log line after the response. Log lines contain no
 * path: queries and path parameters contain user ids, and an unmatched path may contain anything, such as a mistyped link with its
 * secret. Thread-safe.
 *
 * <p>{@link TelemetryFilter} is the adapter for the JDK's server. An adapter for another server calls {@link #begin}, passes the
 * request on with its span as the current one, and calls {@link ObservedRequest#end}.
 */
public final class HttpTelemetry {
    /** Marks log lines whose correlation id was chosen by the caller, so it may not be unique. */
    private static final String CLAIMED = "correlationIdClaimed";

    /** Further templates are bound for each request; their metrics are limited themselves. */
    private static final int MAX_CACHED = 2_000;

    private final Logger logger;
    private final Tracer tracer;
    private final Propagation propagation;
    private final HttpMetrics metrics;
    private final RouteProfiler profiler;
    private final boolean cloud;
    private final Map<String, Map<String, HttpRoute>> routes = new ConcurrentHashMap<>();

    /**
     * Creates the telemetry of a service's requests.
     *
     * @param cloud whether each log line has the {@code httpRequest} field of Google Cloud Logging
     */
    public HttpTelemetry(
            Logger logger,
            Tracer tracer,
            Propagation propagation,
            HttpMetrics metrics,
            RouteProfiler profiler,
            boolean cloud) {
        this.logger = Objects.requireNonNull(logger, "logger");
        this.tracer = Objects.requireNonNull(tracer, "tracer");
        this.propagation = Objects.requireNonNull(propagation, "propagation");
        this.metrics = Objects.requireNonNull(metrics, "metrics");
        this.profiler = Objects.requireNonNull(profiler, "profiler");
        this.cloud = cloud;
    }

    /**
     * Returns a method and route, bound at the first call.
     *
     * @param template the template that the path matched, such as {@code /users/{id}}, or null if it matched none
     */
    public HttpRoute route(String method, @Nullable String template) {
        String label = HttpServerSpans.method(method);
        String route = template == null ? HttpMetrics.UNMATCHED : template;
        Map<String, HttpRoute> methods = routes.get(route);
        HttpRoute known = methods == null ? null : methods.get(label);
        return known == null ? bind(label, template, route) : known;
    }

    private HttpRoute bind(String label, @Nullable String template, String route) {
        HttpRoute bound = new HttpRoute(
                label, template, route, metrics.route(label, template), profiler.recorder(label + " " + route));
        if (routes.size() < MAX_CACHED) {
            routes.computeIfAbsent(route, unused -> new ConcurrentHashMap<>()).put(label, bound);
        }
        return bound;
    }

    /**
     * Begins a request.
     *
     * @param route the request's route, or null as long as it is unknown
     */
    public ObservedRequest begin(HttpServerRequest request, @Nullable HttpRoute route) {
        long startNanos = System.nanoTime();
        List<String> given = request.headers(CorrelationId.HEADER);
        String id = CorrelationId.of(given);
        Fields fields = Fields.of("correlationId", id);
        Logger child = logger.child(given.contains(id) ? fields.put(CLAIMED, true) : fields);
        String name = route == null ? HttpServerSpans.name(request.method(), null) : route.spanName;
        Span span = start(request, name);
        if (child.isEnabled(Level.DEBUG)) {
            Scope scope = span.makeCurrent(); // for the trace's id in the line
            child.debug(name + " begins");
            scope.close();
        }
        return new ObservedRequest(this, request, id, child, span, startNanos);
    }

    private Span start(HttpServerRequest request, String name) {
        SpanContext parent = propagation.extract(request::headers);
        Span span = tracer.start(name, Attributes.none(), parent, SpanKind.SERVER);
        if (span.recording()) {
            HttpServerSpans.begin(span, request.method(), request.scheme(), request.tracedPath())
                    .set("server.address", request.serverName())
                    .set("server.port", request.serverPort())
                    .set("client.address", request.clientAddress())
                    .set("network.protocol.version", request.protocolVersion())
                    .set("user_agent.original", request.header("User-Agent"));
            if (parent.valid()) {
                span.set("porchlight.trace.claimed", true); // the caller chose the trace id
            }
        }
        return span;
    }

    void count(HttpRoute route, int status, long nanos, long endNanos, SpanContext span) {
        // A remote span is recorded elsewhere, if at all.
        route.metrics.record(status, nanos, span.remote() ? SpanContext.NONE : span);
        route.profile.record(nanos, endNanos);
    }

    void log(ObservedRequest observed, HttpRoute route, int status, long bytes, long nanos) {
        Logger child = observed.logger();
        if (!child.isEnabled(Level.INFO)) {
            return;
        }
        HttpServerRequest request = observed.request();
        Fields fields = new Fields()
                .put("method", route.method)
                .put("route", route.route)
                .put("status", status)
                .put("durationMs", nanos / 1e6)
                .put("bytes", bytes)
                .put("client", request.clientAddress());
        String userAgent = request.header("User-Agent");
        if (userAgent != null) {
            fields.put("userAgent", userAgent);
        }
        if (cloud) {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            members.put("requestMethod", route.method);
            members.put("requestUrl", route.route);
            members.put("status", status);
            members.put("responseSize", bytes);
            members.put("userAgent", userAgent);
            members.put("remoteIp", request.clientAddress());
            members.put("latency", nanos / 1e9);
            members.put("protocol", "HTTP/" + request.protocolVersion());
            fields.put("httpRequest", members);
        }
        child.info(route.line + status, fields);
    }
}
