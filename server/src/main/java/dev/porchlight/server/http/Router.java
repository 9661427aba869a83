// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the endpoint of a request by its method and path.
 *
 * <p>Templates consist of literal segments and parameters, as in {@code /users/{id}}; a parameter matches one non-empty
 * segment. Literal routes win over routes with parameters, then the first added wins. Immutable.
 */
public final class Router {
    private final Map<String, Map<Method, Endpoint>> exact = new HashMap<>();
    private final List<Template> templates = new ArrayList<>();
    private final Map<Method, Endpoint> unmatched = new EnumMap<>(Method.class);

    private Router(Map<String, Map<Method, Endpoint>> routes, Handler notFound) {
        routes.forEach((template, declared) -> {
            Map<Method, Endpoint> endpoints = complete(template, declared);
            if (template.indexOf('{') < 0) {
                exact.put(template, endpoints);
            } else {
                templates.add(new Template(List.of(segments(template)), endpoints));
            }
        });
        for (Method method : Method.values()) {
            unmatched.put(method, new Endpoint(method, null, Access.PUBLIC, true, notFound));
        }
    }

    /** Adds HEAD to GET, and for other methods a 405 that lists the allowed ones. */
    private static Map<Method, Endpoint> complete(String template, Map<Method, Endpoint> declared) {
        Map<Method, Endpoint> all = new EnumMap<>(declared);
        Endpoint get = all.get(Method.GET);
        if (get != null) {
            // the body is not sent
            all.putIfAbsent(Method.HEAD, new Endpoint(Method.HEAD, template, get.access(), false, get.handler()));
        }
        Access access = all.values().iterator().next().access();
        String allow = all.keySet().stream().map(Method::label).collect(Collectors.joining(", "));
        Handler notAllowed = exchange ->
                Problem.METHOD_NOT_ALLOWED.response(exchange.correlationId()).with("Allow", allow);
        for (Method method : Method.values()) {
            all.putIfAbsent(method, new Endpoint(method, template, access, true, notAllowed));
        }
        return all;
    }

    private static String[] segments(String path) {
        return path.substring(1).split("/", -1);
    }

    private static boolean isParameter(String segment) {
        return segment.startsWith("{") && segment.endsWith("}");
    }

    /** The segments of a path with parameters, and its endpoints. */
    private record Template(List<String> segments, Map<Method, Endpoint> endpoints) {
        boolean matches(String[] path) {
            if (path.length != segments.size()) {
                return false;
            }
            for (int i = 0; i < path.length; i++) {
                String segment = segments.get(i);
                if (!(isParameter(segment) && !path[i].isEmpty()) && !segment.equals(path[i])) {
                    return false;
                }
            }
            return true;
        }
    }

    /** An endpoint and the segments of the path, still encoded. */
    static final class Match {
        final Endpoint endpoint;
        private final List<String> names;
        private final String[] path;

        Match(Endpoint endpoint) {
            this(endpoint, List.of());
        }

        private Match(Endpoint endpoint, List<String> names, String... path) {
            this.endpoint = endpoint;
            this.names = names;
            this.path = path;
        }

        /** The value of a path parameter, as sent. */
        String value(String parameter) {
            int position = names.indexOf('{' + parameter + '}');
            if (position < 0) {
                throw new IllegalArgumentException(endpoint.route() + " has no parameter " + parameter);
            }
            return path[position];
        }
    }

    Match match(Method method, @Nullable String path) {
        Map<Method, Endpoint> route = path == null ? null : exact.get(path);
        if (route != null) {
            return new Match(of(route, method));
        }
        if (path != null && path.startsWith("/") && !templates.isEmpty()) {
            String[] segments = segments(path);
            for (Template candidate : templates) {
                if (candidate.matches(segments)) {
                    return new Match(of(candidate.endpoints(), method), candidate.segments(), segments);
                }
            }
        }
        return new Match(of(unmatched, method));
    }

    private static Endpoint of(Map<Method, Endpoint> endpoints, Method method) {
        return Objects.requireNonNull(endpoints.get(method));
    }

    /** Begins a router that authenticates callers before the handlers of routes that need one. */
    public static Builder builder(Authenticator authenticator) {
        return new Builder(authenticator);
    }

    /** Collects routes. Not thread-safe. */
    public static final class Builder {
        private final Map<String, Map<Method, Endpoint>> routes = new LinkedHashMap<>();
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
            if (!template.startsWith("/")) {
                throw new IllegalArgumentException("a route must start with a slash: " + template);
            }
            Map<Method, Endpoint> methods = routes.computeIfAbsent(template, unused -> new EnumMap<>(Method.class));
            if (methods.putIfAbsent(method, new Endpoint(method, template, access, false, handler)) != null) {
                throw new IllegalArgumentException(method + " " + template + " is declared twice");
            }
            return this;
        }

        /** The declared access of every method and template, as in {@code GET /users/{id}}. */
        public Map<String, Access> access() {
            Map<String, Access> all = new HashMap<>();
            routes.forEach((template, methods) ->
                    methods.forEach((method, endpoint) -> all.put(method + " " + template, endpoint.access())));
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
