// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.trace.SpanContext;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The count and the duration of HTTP requests by method, route and status. Thread-safe.
 *
 * <p>The route is the template a request matched ({@code /users/{id}}), never its path: whoever calls can invent paths
 * without end. For the same reason methods outside the standards become one.
 */
public final class HttpMetrics {
    /** The route of a request that matched none. */
    public static final String UNMATCHED = "unmatched";
    /** The method of a request whose method is not one of HTTP's, and the status that is no status. */
    public static final String OTHER = "_OTHER";

    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY");
    private static final int FIRST_STATUS = 100;
    private static final int STATUSES = 500;

    private final Counter requests;
    private final Histogram durations;

    HttpMetrics(MetricRegistry registry) {
        requests = registry.counter(
                "http_requests_total", "HTTP requests answered, by route template.", "method", "route", "status");
        durations = registry.histogram(
                "http_request_duration_seconds",
                "Time from the first byte of a request to the end of its answer.",
                Histogram.latencyBuckets(),
                "method",
                "route",
                "status");
    }

    /** What a route records into, bound once per route and method. A null route matched nothing. */
    public Route route(String method, @Nullable String template) {
        boolean known = method != null && METHODS.contains(method);
        return new Route(known ? method : OTHER, template == null ? UNMATCHED : template);
    }

    /** The series of one method and route, bound per status as each is first answered. Thread-safe. */
    public final class Route {
        private final String method;
        private final String template;
        private final @Nullable Bound[] byStatus = new Bound[STATUSES];
        private @Nullable Bound noStatus;

        private Route(String method, String template) {
            this.method = method;
            this.template = template;
        }

        /** Records an answered request. */
        public void record(int status, long nanos) {
            record(status, nanos, SpanContext.NONE);
        }

        /** Records an answered request and, when its span is sampled, where to look closer. */
        public void record(int status, long nanos, SpanContext span) {
            Bound bound = bound(status);
            bound.requests.inc();
            bound.durations.observeNanos(nanos, span);
        }

        private Bound bound(int status) {
            int slot = status - FIRST_STATUS;
            boolean known = slot >= 0 && slot < STATUSES;
            Bound bound = known ? byStatus[slot] : noStatus;
            if (bound == null) {
                String label = known ? Integer.toString(status) : OTHER;
                bound = new Bound(requests.with(method, template, label), durations.with(method, template, label));
                if (known) {
                    byStatus[slot] = bound;
                } else {
                    noStatus = bound;
                }
            }
            return bound;
        }
    }

    /** Immutable, so that racing threads may each bind and either's binding serves. */
    private record Bound(CounterSeries requests, HistogramSeries durations) {}
}
