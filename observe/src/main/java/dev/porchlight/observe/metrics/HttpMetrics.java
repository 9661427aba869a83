// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.trace.HttpServerSpans;
import dev.porchlight.observe.trace.SpanContext;
import org.jspecify.annotations.Nullable;

/**
 * The count and the duration of HTTP requests by method, route and status. Thread-safe.
 *
 * <p>The route is the template a request matched ({@code /users/{id}}), never its path: clients can invent any number of
 * paths. For the same reason unknown methods share one value.
 */
public final class HttpMetrics {
    /** The route of a request that matched no route. */
    public static final String UNMATCHED = "unmatched";

    private static final int FIRST_STATUS = 100;
    private static final int STATUSES = 500;

    private final Counter requests;
    private final Timer durations;

    HttpMetrics(MetricRegistry registry) {
        requests = registry.counter("http_requests_total")
                .help("HTTP responses, by route template.")
                .labels("method", "route", "status")
                .register();
        durations = registry.timer("http_request_duration_seconds")
                .help("Time from the first byte of a request to the end of its response.")
                .labels("method", "route", "status")
                .register();
    }

    /** Binds a method and a route template, which is null if no route matched. Bind once and reuse: recording is cheap. */
    public Route route(String method, @Nullable String template) {
        return new Route(HttpServerSpans.method(method), template == null ? UNMATCHED : template);
    }

    /** The series of one status. */
    private record BoundSeries(CounterSeries requests, TimerSeries durations) {}

    /** One method and route. Thread-safe; only the first request of each status looks up its series. */
    public final class Route {
        private final String method;
        private final String template;

        /** By status; the last one is for invalid codes. Filled without a lock: threads that race bind the same series. */
        private final @Nullable BoundSeries[] byStatus = new BoundSeries[STATUSES + 1];

        private Route(String method, String template) {
            this.method = method;
            this.template = template;
        }

        /** Records a request that was responded to with this status. */
        public void record(int status, long nanos) {
            record(status, nanos, SpanContext.NONE);
        }

        /** Records a request and, if its span is sampled, the span as an exemplar. */
        public void record(int status, long nanos, SpanContext span) {
            int index = status - FIRST_STATUS;
            BoundSeries series = bound(index >= 0 && index < STATUSES ? index : STATUSES);
            series.requests.inc();
            series.durations.record(nanos, span);
        }

        private BoundSeries bound(int index) {
            BoundSeries found = byStatus[index];
            if (found == null) {
                String label = index == STATUSES ? HttpServerSpans.OTHER : Integer.toString(FIRST_STATUS + index);
                found = new BoundSeries(
                        requests.with(method, template, label), durations.with(method, template, label));
                byStatus[index] = found;
            }
            return found;
        }
    }
}
