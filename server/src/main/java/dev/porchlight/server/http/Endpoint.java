// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One method of one route, and who answers it. */
public final class Endpoint {
    /** The route of every request that matches none. */
    public static final String UNMATCHED = "unmatched";

    private final Method method;
    private final @Nullable String template;
    private final Handler handler;
    private final Cost cost;
    private final String[] parameters;
    private final boolean limited;
    private final boolean always;
    private final boolean begins;
    private final boolean takesBody;
    private final boolean forUsers;
    private volatile @Nullable EndpointMeters meters;

    Endpoint(
            Method method,
            @Nullable String template,
            String[] parameters,
            Cost cost,
            boolean takesBody,
            Handler handler) {
        this.method = method;
        this.takesBody = takesBody;
        this.template = template;
        this.parameters = parameters;
        this.handler = handler;
        this.cost = cost;
        limited = route().startsWith("/auth/") || route().startsWith("/admin/");
        always = route().startsWith("/health/") || route().equals("/metrics") || route().startsWith("/console/api/");
        begins = route().endsWith("/options") || route().equals("/auth/signup");
        forUsers = cost == Cost.USER || route().startsWith("/auth/passkey/register/");
    }

    public Method method() {
        return method;
    }

    /** The template the path matched, or null when it matched none. */
    public @Nullable String template() {
        return template;
    }

    /** The template, or {@value #UNMATCHED}: the value of the label {@code route}. */
    public String route() {
        return template == null ? UNMATCHED : template;
    }

    /** What a request to it costs. */
    Cost cost() {
        return cost;
    }

    /** Whether it is for users or administrators: not to be cached, nor requested by pages of other sites. */
    boolean guarded() {
        return guarded(route());
    }

    static boolean guarded(String route) {
        return route.startsWith("/auth/") || route.startsWith("/admin/") || route.startsWith("/console/api/");
    }

    /** Whether only operators may request it. */
    public boolean forOperators() {
        return route().startsWith("/admin/") || route().startsWith("/console/api/");
    }

    /** Whether only signed-in users, or those about to register, may request it. */
    public boolean forUsers() {
        return forUsers;
    }

    /** Whether its handler may read a body. */
    boolean takesBody() {
        return takesBody;
    }

    /** Whether it is one of those that sign people in, of which only so many are worked on at once. */
    boolean limited() {
        return limited;
    }

    /** Whether it is what operators look at, which is answered whatever is going on. */
    boolean always() {
        return always;
    }

    /** Whether it begins what another request finishes. */
    boolean begins() {
        return begins;
    }

    /** This endpoint with another handler. */
    Endpoint answering(Handler another) {
        return new Endpoint(method, template, parameters, cost, false, another);
    }

    Handler handler() {
        return handler;
    }

    /** The position of a path parameter among those of this route, or -1. */
    int position(String parameter) {
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i].equals(parameter)) {
                return i;
            }
        }
        return -1;
    }

    /** The meters of this endpoint, bound at its first request so that the others look nothing up. */
    EndpointMeters meters(Function<Endpoint, EndpointMeters> bind) {
        EndpointMeters bound = meters;
        if (bound == null) {
            bound = bind.apply(this); // two threads may both bind; they bind to the same series
            meters = bound;
        }
        return bound;
    }
}
