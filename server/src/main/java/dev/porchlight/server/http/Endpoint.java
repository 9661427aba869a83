// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.metrics.HttpMetrics;
import dev.porchlight.observe.profile.RouteRecorder;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One method of one route, with its access and handler. */
public final class Endpoint {
    private static final Set<Method> BODIES = Set.of(Method.POST, Method.PUT, Method.PATCH);

    private final Method method;
    private final @Nullable String template;
    private final Access access;
    private final boolean refusing;
    private final Handler handler;
    private volatile @Nullable Meters meters;

    /** The recorders of one endpoint. */
    record Meters(HttpMetrics.Route metrics, RouteRecorder profile) {}

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

    /** Returns the meters of this endpoint, bound at its first request to avoid later lookups. */
    Meters meters(Function<Endpoint, Meters> bind) {
        Meters bound = meters;
        if (bound == null) {
            bound = bind.apply(this); // two threads may both bind; they bind to the same series
            meters = bound;
        }
        return bound;
    }
}
