// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A path template with one endpoint per method; the methods nobody answers get a 405 that names the others. */
final class Route {
    private static final Set<Method> BODIES = Set.of(Method.POST, Method.PUT, Method.PATCH);

    private final String[] segments;
    private final String[] parameters;
    private final Map<Method, Endpoint> endpoints = new EnumMap<>(Method.class);

    /** A handler and what a request to it costs. */
    record Served(Cost cost, Handler handler) {}

    Route(String template, Map<Method, Served> handlers) {
        if (!template.startsWith("/")) {
            throw new IllegalArgumentException("a route starts with a slash: " + template);
        }
        segments = segments(template);
        parameters = Stream.of(segments)
                .filter(Route::isParameter)
                .map(segment -> segment.substring(1, segment.length() - 1))
                .toArray(String[]::new);
        Map<Method, Served> all = new EnumMap<>(handlers);
        Served get = all.get(Method.GET);
        if (get != null) {
            all.putIfAbsent(Method.HEAD, get); // of an answer to HEAD the headers are sent and the body is not
        }
        Served refuse = new Served(
                Cost.NONE, notAllowed(all.keySet().stream().map(Method::label).collect(Collectors.joining(", "))));
        for (Method method : Method.values()) {
            Served served = all.getOrDefault(method, refuse);
            boolean takesBody = all.containsKey(method) && BODIES.contains(method);
            endpoints.put(
                    method, new Endpoint(method, template, parameters, served.cost(), takesBody, served.handler()));
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

    /** The values of the parameters, still encoded, if the path's segments match; otherwise null. */
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
                Problem.METHOD_NOT_ALLOWED.answer(exchange.correlationId()).with("Allow", allow);
    }
}
