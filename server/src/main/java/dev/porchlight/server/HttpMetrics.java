// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.server.http.HttpServer;

/** The HTTP server's load and what it refused, as metrics. */
final class HttpMetrics {
    private final HttpServer http;

    HttpMetrics(HttpServer http) {
        this.http = http;
    }

    void register(MetricRegistry metrics) {
        registerConnections(metrics);
        registerRequests(metrics);
    }

    private void registerConnections(MetricRegistry metrics) {
        metrics.callbackCounter(
                "http_connections_cut_total",
                "Connections closed because the client took too long, by what it did not finish.",
                samples -> http.cutOff().forEach((what, count) -> samples.sample((double) count, what)),
                "unfinished");
        metrics.callbackGauge(
                "http_connections_open",
                "Open connections, by listener.",
                samples -> http.connections().forEach((listener, count) -> samples.sample(count, listener)),
                "listener");
        metrics.callbackGauge(
                "http_connections_largest_address",
                "Open connections of the client address that has most, by listener.",
                samples -> http.largestConnections().forEach((listener, count) -> samples.sample(count, listener)),
                "listener");
        metrics.callbackCounter(
                "http_connections_displaced_total",
                "Connections closed because a share was used up, by listener and whether they were open or new.",
                samples -> http.closedForRoom()
                        .forEach((listener, counts) ->
                                counts.forEach((how, count) -> samples.sample((double) count, listener, how))),
                "listener",
                "how");
    }

    private void registerRequests(MetricRegistry metrics) {
        metrics.callbackGauge(
                "http_requests_in_work",
                "Requests of the auth and admin routes that are worked on, or wait for that, by state.",
                samples -> http.load().forEach((state, count) -> samples.sample(count, state)),
                "state");
        metrics.callbackCounter(
                "http_requests_shed_total",
                "Requests refused because too many were there, by whether they had waited.",
                samples -> http.shed().forEach((when, count) -> samples.sample((double) count, when)),
                "when");
        metrics.callbackGauge(
                "http_request_body_bytes_held",
                "Memory of request bodies that have not arrived completely.",
                samples -> samples.sample((double) http.bodyBytes()));
        metrics.callbackCounter(
                "http_request_bodies_displaced_total",
                "Request bodies given up because their memory was needed for others.",
                samples -> samples.sample((double) http.evictedBodies()));
    }
}
