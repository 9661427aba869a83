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
        metrics.counter("http_connections_cut_total")
                .help("Connections closed because the client took too long, by what it did not finish.")
                .labels("unfinished")
                .read(samples -> http.cutOff().forEach((what, count) -> samples.sample((double) count, what)));
        metrics.gauge("http_connections_open")
                .help("Open connections, by listener.")
                .labels("listener")
                .read(samples -> http.connections().forEach((listener, count) -> samples.sample(count, listener)));
        metrics.gauge("http_connections_largest_address")
                .help("Open connections of the client address that has most, by listener.")
                .labels("listener")
                .read(samples ->
                        http.largestConnections().forEach((listener, count) -> samples.sample(count, listener)));
        metrics.counter("http_connections_displaced_total")
                .help("Connections closed because a share was used up, by listener and whether they were open or new.")
                .labels("listener", "how")
                .read(samples -> http.closedForRoom()
                        .forEach((listener, counts) ->
                                counts.forEach((how, count) -> samples.sample((double) count, listener, how))));
    }

    private void registerRequests(MetricRegistry metrics) {
        metrics.gauge("http_requests_in_work")
                .help("Requests of the auth and admin routes that are worked on, or wait for that, by state.")
                .labels("state")
                .read(samples -> http.load().forEach((state, count) -> samples.sample(count, state)));
        metrics.counter("http_requests_shed_total")
                .help("Requests refused because too many were there, by whether they had waited.")
                .labels("when")
                .read(samples -> http.shed().forEach((when, count) -> samples.sample((double) count, when)));
        metrics.gauge("http_request_body_bytes_held")
                .help("Memory of request bodies that have not arrived completely.")
                .read(http::bodyBytes);
        metrics.counter("http_request_bodies_displaced_total")
                .help("Request bodies given up because their memory was needed for others.")
                .read(http::evictedBodies);
    }
}
