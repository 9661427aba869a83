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

    private Router(Map<String, Map<Method, Route.Declared>> routes, Handler notFound) {
        routes.forEach((template, handlers) -> {
            Route route = new Route(template, handlers);
            if (route.isExact()) {
                exact.put(template, route);
            } else {
                templates.add(route);
            }
        });
        for (Method method : Method.values()) {
            unmatched.put(method, Endpoint.refusing(method, null, Access.PUBLIC, notFound));
        }
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

    /** Begins a router that authenticates callers before the handlers of routes that need one. */
    public static Builder builder(Authenticator authenticator) {
        return new Builder(authenticator);
    }

    /** Collects routes. Not thread-safe. */
    public static final class Builder {
        private final Map<String, Map<Method, Route.Declared>> routes = new LinkedHashMap<>();
        private final Authenticator authenticator;
        private Handler notFound = exchange -> Problem.NOT_FOUND.response(exchange.correlationId());

        private Builder(Authenticator authenticator) {
            this.authenticator = authenticator;
        }

        /** Adds a route for GET, and for HEAD without a body. */
        public Builder get(String template, Access access, Handler handler) {
            return add(Method.GET, template, access, handler);
        }

        /** Adds a route for GET, and for HEAD without a body. */
        public <C> Builder get(String template, Access.For<C> access, Handler.For<C> handler) {
            return add(Method.GET, template, access, handler);
        }

        public Builder post(String template, Access access, Handler handler) {
            return add(Method.POST, template, access, handler);
        }

        public <C> Builder post(String template, Access.For<C> access, Handler.For<C> handler) {
            return add(Method.POST, template, access, handler);
        }

        /**
         * Adds a route. If the access names callers, they are authenticated, also if the handler does not need to know them.
         *
         * @throws IllegalArgumentException if the template already has this method
         */
        public Builder add(Method method, String template, Access access, Handler handler) {
            return access instanceof Access.For<?> known
                    ? add(method, template, known, (exchange, caller) -> handler.handle(exchange))
                    : declare(method, template, access, handler);
        }

        /**
         * Adds a route whose handler receives the authenticated caller.
         *
         * @throws IllegalArgumentException if the template already has this method
         */
        public <C> Builder add(Method method, String template, Access.For<C> access, Handler.For<C> handler) {
            return declare(
                    method,
                    template,
                    access,
                    exchange -> handler.handle(exchange, access.authenticate(authenticator, exchange)));
        }

        private Builder declare(Method method, String template, Access access, Handler handler) {
            Map<Method, Route.Declared> methods =
                    routes.computeIfAbsent(template, unused -> new EnumMap<>(Method.class));
            if (methods.putIfAbsent(method, new Route.Declared(access, handler)) != null) {
                throw new IllegalArgumentException(method + " " + template + " is declared twice");
            }
            return this;
        }

        /** The declared access of every method and template, as in {@code GET /users/{id}}. */
        public Map<String, Access> access() {
            Map<String, Access> all = new HashMap<>();
            routes.forEach((template, methods) ->
                    methods.forEach((method, declared) -> all.put(method + " " + template, declared.access())));
            return all;
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
