// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the endpoint of a request by its method and path.
 *
 * <p>Templates consist of literal segments and parameters, as in {@code /users/{id}}; a parameter matches one non-empty
 * segment. Literal routes win over routes with parameters, then the first added wins. Immutable.
 */
public final class Router {
    private final Map<String, Route> exact = new HashMap<>();
    private final List<Route> templates = new ArrayList<>();
    private final Map<Method, Endpoint> unmatched = new EnumMap<>(Method.class);
    private final Map<String, Access> access = new HashMap<>();

    private Router(Map<String, Map<Method, Route.Declared>> routes, Handler notFound) {
        routes.forEach((template, handlers) -> {
            Route route = new Route(template, handlers);
            if (route.isExact()) {
                exact.put(template, route);
            } else {
                templates.add(route);
            }
            handlers.forEach((method, declared) -> access.put(method + " " + template, declared.access()));
        });
        for (Method method : Method.values()) {
            unmatched.put(method, Endpoint.refusing(method, null, Access.PUBLIC, notFound));
        }
    }

    /** The declared access of every method and template, as in {@code GET /users/{id}}. */
    public Map<String, Access> access() {
        return Map.copyOf(access);
    }

    /** An endpoint and the values of the path parameters, still encoded. */
    static final class Match {
        final Endpoint endpoint;
        final String[] values;

        Match(Endpoint endpoint, String... values) {
            this.endpoint = endpoint;
            this.values = values;
        }

        /** The value of a path parameter, as sent. */
        String value(String parameter) {
            int position = endpoint.position(parameter);
            if (position < 0) {
                throw new IllegalArgumentException(endpoint.route() + " has no parameter " + parameter);
            }
            return values[position];
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
        return new Match(Objects.requireNonNull(unmatched.get(method)));
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects routes. Not thread-safe. */
    public static final class Builder {
        private final Map<String, Map<Method, Route.Declared>> routes = new LinkedHashMap<>();
        private Handler notFound = exchange -> Problem.NOT_FOUND.response(exchange.correlationId());

        private Builder() {}

        /** Adds a route for GET, and for HEAD without a body. */
        public Builder get(String template, Access access, Handler handler) {
            return add(Method.GET, template, access, handler);
        }

        public Builder post(String template, Access access, Handler handler) {
            return add(Method.POST, template, access, handler);
        }

        /**
         * Adds a route.
         *
         * @throws IllegalArgumentException if the template already has this method
         */
        public Builder add(Method method, String template, Access access, Handler handler) {
            Map<Method, Route.Declared> methods =
                    routes.computeIfAbsent(template, unused -> new EnumMap<>(Method.class));
            if (methods.putIfAbsent(method, new Route.Declared(access, handler)) != null) {
                throw new IllegalArgumentException(method + " " + template + " is declared twice");
            }
            return this;
        }

        /** Sets the handler of requests that match no route. The default responds with {@link Problem#NOT_FOUND}. */
        public Builder notFound(Handler handler) {
            notFound = handler;
            return this;
        }

        public Router build() {
            return new Router(routes, notFound);
        }
    }
}
