// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * OpenTelemetry's conventions for the span of a request that a server handles: name, attributes and status.
 *
 * <p>The query is left out on purpose: that of an authentication service holds user ids.
 */
public final class HttpServerSpans {
    public static final String METHOD = "http.request.method";
    public static final String METHOD_ORIGINAL = "http.request.method_original";
    public static final String STATUS_CODE = "http.response.status_code";
    public static final String ROUTE = "http.route";
    public static final String PATH = "url.path";
    public static final String SCHEME = "url.scheme";
    public static final String ERROR_TYPE = "error.type";

    /** The value for unknown methods, so that clients cannot invent values. */
    public static final String OTHER_METHOD = "_OTHER";

    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH");

    private HttpServerSpans() {}

    private static boolean known(String method) {
        return method != null && METHODS.contains(method);
    }

    /** The method as an attribute: itself when known, compared with regard to case, or {@link #OTHER_METHOD}. */
    public static String method(String method) {
        return known(method) ? method : OTHER_METHOD;
    }

    /** The span's name: the method and the route's template, or the method alone while no route is known. */
    public static String name(String method, @Nullable String route) {
        String shown = known(method) ? method : "HTTP";
        return route == null ? shown : shown + " " + route;
    }

    /** The attributes a span must start with. */
    public static Attributes request(String method, String scheme, String path) {
        Attributes required = Attributes.of(METHOD, method(method), SCHEME, scheme, PATH, path);
        return known(method) ? required : required.with(METHOD_ORIGINAL, method);
    }

    /** Whether an answer makes the server's span a failed one: only 5xx, since a 4xx is the client's mistake. */
    public static boolean failed(int status) {
        return status >= 500;
    }

    /**
     * Ends a request's span with the answer the client got. A 5xx or an exception makes it an error; nothing makes it OK.
     *
     * @param route the template of the route, or null when none matched
     * @param error what the handler threw, or null
     */
    public static void end(Span span, String method, @Nullable String route, int status, @Nullable Throwable error) {
        span.set(STATUS_CODE, status);
        if (route != null) {
            span.rename(name(method, route)).set(ROUTE, route);
        }
        if (error != null) {
            span.set(ERROR_TYPE, error.getClass().getName()).end(error);
            return;
        }
        if (failed(status)) {
            span.set(ERROR_TYPE, Integer.toString(status)).status(SpanStatus.ERROR);
        }
        span.end();
    }
}
