// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.trace.SpanContext;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The count and the duration of HTTP requests by method, route and status. Thread-safe.
 *
 * <p>The route is the template a request matched ({@code /users/{id}}), never its path: clients can invent any number of
 * paths. For the same reason methods outside the standards share one value.
 */
public final class HttpMetrics {
    /** The route of a request that matched none. */
    public static final String UNMATCHED = "unmatched";
    /** The method of a request whose method is not one of HTTP's, and the status that is no status. */
    public static final String OTHER = "_OTHER";

    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY");
    private static final int FIRST_STATUS = 100;
    /** The status codes as label values, so that a recording allocates none. */
    private static final String[] STATUSES =
            IntStream.range(FIRST_STATUS, 600).mapToObj(Integer::toString).toArray(String[]::new);

    private final Counter requests;
    private final Timer durations;

    HttpMetrics(MetricRegistry registry) {
        requests = registry.counter("http_requests_total")
                .help("HTTP requests answered, by route template.")
                .labels("method", "route", "status")
                .register();
        durations = registry.timer("http_request_duration_seconds")
                .help("Time from the first byte of a request to the end of its answer.")
                .labels("method", "route", "status")
                .register();
    }

    /** Where the requests of one method and route are recorded. A null route matched nothing. */
    public Route route(String method, @Nullable String template) {
        boolean known = method != null && METHODS.contains(method);
        return new Route(known ? method : OTHER, template == null ? UNMATCHED : template);
    }

    /** One method and route. Thread-safe. */
    public final class Route {
        private final String method;
        private final String template;

        private Route(String method, String template) {
            this.method = method;
            this.template = template;
        }

        /** Records an answered request. */
        public void record(int status, long nanos) {
            record(status, nanos, SpanContext.NONE);
        }

        /** Records an answered request, and its span as an exemplar if that is sampled. */
        public void record(int status, long nanos, SpanContext span) {
            int index = status - FIRST_STATUS;
            String label = index >= 0 && index < STATUSES.length ? STATUSES[index] : OTHER;
            requests.with(method, template, label).inc();
            durations.with(method, template, label).record(nanos, span);
        }
    }
}
