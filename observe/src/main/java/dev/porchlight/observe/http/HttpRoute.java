// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.http;

import dev.porchlight.observe.metrics.HttpMetrics;
import dev.porchlight.observe.profile.RouteRecorder;
import dev.porchlight.observe.trace.HttpServerSpans;
import org.jspecify.annotations.Nullable;

/** One method of one route, bound to its series. Thread-safe. */
public final class HttpRoute {
    final String method;
    final @Nullable String template;
    /** The template, or {@value HttpMetrics#UNMATCHED}. */
    final String route;

    final String spanName;
    /** The start of the log line's message. */
    final String line;

    final HttpMetrics.Route metrics;
    final RouteRecorder profile;

    HttpRoute(
            String method, @Nullable String template, String route, HttpMetrics.Route metrics, RouteRecorder profile) {
        this.method = method;
        this.template = template;
        this.route = route;
        this.spanName = HttpServerSpans.name(method, template);
        this.line = method + " " + route + " ";
        this.metrics = metrics;
        this.profile = profile;
    }
}
