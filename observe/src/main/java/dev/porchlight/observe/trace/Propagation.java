// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads and writes a {@link SpanContext} as the headers of a request: W3C {@code traceparent} and {@code tracestate},
 * and on Google Cloud, when there is no {@code traceparent}, {@code X-Cloud-Trace-Context}. Immutable.
 *
 * <p>{@link Tracer#start} continues the caller's trace. A service that does not trust its callers starts a new trace,
 * with {@link SpanContext#NONE} as the parent, and {@linkplain Span#link links} to the caller's span.
 */
public final class Propagation {
    private static final String TRACEPARENT = "traceparent";
    private static final String TRACESTATE = "tracestate";
    private static final String CLOUD = "X-Cloud-Trace-Context";
    private static final Pattern CLOUD_FORMAT = Pattern.compile("([0-9a-fA-F]{32})/([0-9]{1,20})(?:;o=([0-9]+))?");

    private final boolean cloud;

    /** Creates a propagation that honors Google's header if {@code cloud} is true. */
    public Propagation(boolean cloud) {
        this.cloud = cloud;
    }

    /**
     * Returns the caller's span, or {@link SpanContext#NONE} if the headers name no valid one.
     *
     * @param headers returns all values of a header; the name is case-insensitive
     */
    public SpanContext extract(Function<String, List<String>> headers) {
        List<String> parents = values(headers, TRACEPARENT);
        if (parents.isEmpty() && cloud) {
            List<String> values = values(headers, CLOUD);
            return values.size() == 1 ? cloudContext(values.get(0)) : SpanContext.NONE;
        }
        SpanContext parent = parents.size() == 1 ? TraceParent.parse(parents.get(0)) : null;
        if (parent == null) {
            return SpanContext.NONE;
        }
        String state = TraceState.parse(values(headers, TRACESTATE));
        return state.isEmpty()
                ? parent
                : new SpanContext(
                        parent.traceIdHigh(), parent.traceIdLow(), parent.spanId(), parent.flags(), state, true);
    }

    /** Parses {@code TRACE/SPAN;o=1}, with the span id in decimal. */
    private static SpanContext cloudContext(String header) {
        Matcher matcher = CLOUD_FORMAT.matcher(TraceParent.trim(header));
        if (!matcher.matches()) {
            return SpanContext.NONE;
        }
        try {
            SpanContext context = new SpanContext(
                    Long.parseUnsignedLong(matcher.group(1).substring(0, 16), 16),
                    Long.parseUnsignedLong(matcher.group(1).substring(16), 16),
                    Long.parseUnsignedLong(matcher.group(2)),
                    "1".equals(matcher.group(3)) ? SpanContext.SAMPLED : 0,
                    "",
                    true);
            return context.valid() ? context : SpanContext.NONE;
        } catch (NumberFormatException e) {
            return SpanContext.NONE; // twenty digits may exceed 64 bits
        }
    }

    /** Returns the values of a header, or an empty list if the function fails or returns null. */
    private static List<String> values(Function<String, List<String>> headers, String name) {
        try {
            List<String> values = headers.apply(name);
            for (int i = 0; values != null && i < values.size(); i++) {
                if (values.get(i) == null) {
                    return List.of();
                }
            }
            return values == null ? List.of() : values;
        } catch (RuntimeException failure) {
            return List.of();
        }
    }

    /** Returns the caller's span from a map with case-insensitive names, such as {@code java.net.http.HttpHeaders.map()}. */
    public SpanContext extract(Map<String, List<String>> headers) {
        return extract(name -> {
            List<String> values = new ArrayList<>();
            headers.forEach((key, list) -> {
                if (name.equalsIgnoreCase(key)) { // HttpURLConnection stores its status line under a null key
                    values.addAll(list);
                }
            });
            return values;
        });
    }

    /** Passes the headers that make {@code context} the parent of another service's span to {@code headers}. */
    public static void inject(SpanContext context, BiConsumer<String, String> headers) {
        if (context == null || !context.valid()) {
            return;
        }
        headers.accept(TRACEPARENT, TraceParent.format(context));
        if (!context.traceState().isEmpty()) {
            headers.accept(TRACESTATE, context.traceState());
        }
    }
}
