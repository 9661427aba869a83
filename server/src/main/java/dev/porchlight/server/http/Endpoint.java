// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.http.HttpRoute;
import dev.porchlight.observe.http.HttpTelemetry;
import dev.porchlight.observe.metrics.HttpMetrics;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One method of one route, with its access and handler. */
public final class Endpoint {
    private static final Set<Method> BODIES = Set.of(Method.POST, Method.PUT, Method.PATCH);

    private final Method method;
    private final @Nullable String template;
    private final Access access;
    private final boolean refusing;
    private final Handler handler;
    private volatile @Nullable HttpRoute bound;

    /**
     * Creates an endpoint.
     *
     * @param refusing whether the method or path has no route, so that no body is read and no rate limit applies
     */
    Endpoint(Method method, @Nullable String template, Access access, boolean refusing, Handler handler) {
        this.method = method;
        this.template = template;
        this.access = access;
        this.refusing = refusing;
        this.handler = handler;
    }

    public Method method() {
        return method;
    }

    /** The template that the path matched, or null when it matched none. */
    public @Nullable String template() {
        return template;
    }

    /** The template, or {@value HttpMetrics#UNMATCHED}: the value of the label {@code route}. */
    public String route() {
        return template == null ? HttpMetrics.UNMATCHED : template;
    }

    /** The declared access of the route. */
    Access access() {
        return access;
    }

    /** The rate-limit cost of a request. */
    Cost cost() {
        return refusing ? Cost.NONE : access.cost();
    }

    /** Whether the handler may read a body. */
    boolean acceptsBody() {
        return !refusing && BODIES.contains(method);
    }

    Handler handler() {
        return handler;
    }

    /** Returns the telemetry's route, bound at the first request to avoid later lookups. */
    HttpRoute route(HttpTelemetry telemetry) {
        HttpRoute known = bound;
        if (known == null) {
            known = telemetry.route(
                    method.label(), template); // two threads may both bind; they bind to the same series
            bound = known;
        }
        return known;
    }
}
