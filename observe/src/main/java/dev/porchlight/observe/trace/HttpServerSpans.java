// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * OpenTelemetry's conventions for HTTP server spans: name, attributes and status.
 *
 * <p>The query string is left out, because it may contain user ids.
 */
public final class HttpServerSpans {
    public static final String METHOD = "http.request.method";
    public static final String METHOD_ORIGINAL = "http.request.method_original";
    public static final String STATUS_CODE = "http.response.status_code";
    public static final String ROUTE = "http.route";
    public static final String PATH = "url.path";
    public static final String SCHEME = "url.scheme";
    public static final String ERROR_TYPE = "error.type";

    /** The value for unknown methods and invalid status codes, so that clients cannot invent values. */
    public static final String OTHER = "_OTHER";

    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY");

    private HttpServerSpans() {}

    private static boolean known(String method) {
        return method != null && METHODS.contains(method);
    }

    /** Returns a known method unchanged and {@link #OTHER} for any other. Case-sensitive. */
    public static String method(String method) {
        return known(method) ? method : OTHER;
    }

    /** Returns the span's name: the method and the route template, or only the method while no route is known. */
    public static String name(String method, @Nullable String route) {
        String shown = known(method) ? method : "HTTP";
        return route == null ? shown : shown + " " + route;
    }

    /** Sets the attributes that a span must start with. */
    public static Span begin(Span span, String method, String scheme, String path) {
        span.set(METHOD, method(method)).set(SCHEME, scheme).set(PATH, path);
        return known(method) ? span : span.set(METHOD_ORIGINAL, method);
    }

    /** Returns whether a status fails the server's span: only 5xx does, because 4xx is a client error. */
    public static boolean failed(int status) {
        return status >= 500;
    }

    /**
     * Ends a request's span. A 5xx or an exception sets the status ERROR; the status is never set to OK.
     *
     * @param name the span's name, now that its route is known
     * @param route the route template, or null if no route matched
     * @param error the exception of the handler, or null
     */
    public static void end(Span span, String name, @Nullable String route, int status, @Nullable Throwable error) {
        span.rename(name).set(STATUS_CODE, status).set(ROUTE, route);
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
