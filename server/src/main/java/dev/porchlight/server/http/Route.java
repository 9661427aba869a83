// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A path template with one endpoint per method; other methods get a 405 that lists the allowed ones. */
final class Route {
    private final String[] segments;
    private final String[] parameters;
    private final Map<Method, Endpoint> endpoints = new EnumMap<>(Method.class);

    /** A declared access and the handler behind it. */
    record Declared(Access access, Handler handler) {}

    Route(String template, Map<Method, Declared> methods) {
        if (!template.startsWith("/")) {
            throw new IllegalArgumentException("a route must start with a slash: " + template);
        }
        segments = segments(template);
        parameters = Stream.of(segments)
                .filter(Route::isParameter)
                .map(segment -> segment.substring(1, segment.length() - 1))
                .toArray(String[]::new);
        Map<Method, Declared> all = new EnumMap<>(methods);
        Declared get = all.get(Method.GET);
        if (get != null) {
            all.putIfAbsent(Method.HEAD, get); // the body is not sent
        }
        all.forEach((method, declared) -> endpoints.put(
                method, Endpoint.of(method, template, parameters, declared.access(), declared.handler())));
        Access access = all.values().iterator().next().access();
        Handler notAllowed = notAllowed(all.keySet().stream().map(Method::label).collect(Collectors.joining(", ")));
        for (Method method : Method.values()) {
            endpoints.putIfAbsent(method, Endpoint.refusing(method, template, access, notAllowed));
        }
    }

    static String[] segments(String path) {
        return path.substring(1).split("/", -1);
    }

    Endpoint endpoint(Method method) {
        return Objects.requireNonNull(endpoints.get(method));
    }

    boolean isExact() {
        return parameters.length == 0;
    }

    /** Returns the parameter values, still encoded, if the path's segments match; otherwise null. */
    String @Nullable [] match(String[] path) {
        if (path.length != segments.length) {
            return null;
        }
        String[] values = new String[parameters.length];
        int found = 0;
        for (int i = 0; i < segments.length; i++) {
            if (isParameter(segments[i]) && !path[i].isEmpty()) {
                values[found++] = path[i];
            } else if (!segments[i].equals(path[i])) {
                return null;
            }
        }
        return values;
    }

    private static boolean isParameter(String segment) {
        return segment.startsWith("{") && segment.endsWith("}");
    }

    private static Handler notAllowed(String allow) {
        return exchange ->
                Problem.METHOD_NOT_ALLOWED.response(exchange.correlationId()).with("Allow", allow);
    }
}
