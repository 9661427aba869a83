// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the endpoint of a request by its method and path.
 *
 * <p>Templates are literal segments and parameters, as in {@code /users/{id}}; a parameter takes one segment that is not
 * empty. Literal routes win over those with parameters, then the first added wins. Immutable.
 */
public final class Router {
    private static final String[] NO_PARAMETERS = {};

    private final Map<String, Route> exact = new HashMap<>();
    private final List<Route> templates = new ArrayList<>();
    private final Map<Method, Endpoint> unmatched = new EnumMap<>(Method.class);
    private final Map<String, Set<Method>> methods;

    private Router(Map<String, Map<Method, Route.Served>> routes) {
        routes.forEach((template, handlers) -> {
            Route route = new Route(template, handlers);
            if (route.isExact()) {
                exact.put(template, route);
            } else {
                templates.add(route);
            }
        });
        methods = routes.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> Set.copyOf(entry.getValue().keySet())));
        Handler notFound = exchange -> Problem.NOT_FOUND.answer(exchange.correlationId());
        for (Method method : Method.values()) {
            unmatched.put(method, new Endpoint(method, null, NO_PARAMETERS, Cost.NONE, false, notFound));
        }
    }

    /** Every template with the methods that were added for it: what the service answers, as its description must have it. */
    public Map<String, Set<Method>> methods() {
        return methods;
    }

    /** An endpoint and the values of the path's parameters, still encoded. */
    static final class Match {
        final Endpoint endpoint;
        final String[] values;

        Match(Endpoint endpoint, String... values) {
            this.endpoint = endpoint;
            this.values = values;
        }
    }

    Match match(Method method, @Nullable String path) {
        Route route = path == null ? null : exact.get(path);
        if (route != null) {
            return new Match(route.endpoint(method));
        }
        if (path != null && path.startsWith("/") && !templates.isEmpty()) {
            String[] segments = Route.segments(path);
            for (Route candidate : templates) {
                String[] values = candidate.match(segments);
                if (values != null) {
                    return new Match(candidate.endpoint(method), values);
                }
            }
        }
        return unmatched(method);
    }

    Match unmatched(Method method) {
        return new Match(Objects.requireNonNull(unmatched.get(method)));
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects routes. Not thread-safe. */
    public static final class Builder {
        private final Map<String, Map<Method, Route.Served>> routes = new LinkedHashMap<>();

        private Builder() {}

        /** Adds a route for GET, and for HEAD, which is the same without a body. */
        public Builder get(String template, Handler handler) {
            return get(template, Cost.NONE, handler);
        }

        public Builder get(String template, Cost cost, Handler handler) {
            return add(Method.GET, template, cost, handler);
        }

        public Builder post(String template, Handler handler) {
            return post(template, Cost.NONE, handler);
        }

        public Builder post(String template, Cost cost, Handler handler) {
            return add(Method.POST, template, cost, handler);
        }

        public Builder add(Method method, String template, Handler handler) {
            return add(method, template, Cost.NONE, handler);
        }

        /**
         * Adds a route.
         *
         * @throws IllegalArgumentException if the route is there already, or is for users or operators and costs nothing
         */
        public Builder add(Method method, String template, Cost cost, Handler handler) {
            if (cost == Cost.NONE && Endpoint.guarded(template)) {
                throw new IllegalArgumentException(method + " " + template + " has no cost");
            }
            Map<Method, Route.Served> handlers =
                    routes.computeIfAbsent(template, unused -> new EnumMap<>(Method.class));
            if (handlers.putIfAbsent(method, new Route.Served(cost, handler)) != null) {
                throw new IllegalArgumentException(method + " " + template + " is there already");
            }
            return this;
        }

        public Router build() {
            return new Router(routes);
        }
    }
}
