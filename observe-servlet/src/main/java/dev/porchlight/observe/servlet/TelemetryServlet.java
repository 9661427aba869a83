// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.servlet;

import dev.porchlight.observe.http.EndpointResponse;
import dev.porchlight.observe.http.TelemetryEndpoints;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints for scrapers and probes: {@code /metrics}, {@code /health/live}, {@code /health/ready} and {@code /profile}, and
 * the page at {@code /observe/} if there is one. Map it to those of them that you need, or with a prefix, such as {@code
 * /internal/metrics}. Thread-safe.
 */
public final class TelemetryServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private static final String PAGE = "/observe/";

    private final transient TelemetryEndpoints endpoints;

    public TelemetryServlet(TelemetryEndpoints endpoints) {
        this.endpoints = Objects.requireNonNull(endpoints, "endpoints");
    }

    /** The mappings of all endpoints, with a prefix that is empty or begins with a slash. */
    public String[] mappings(String prefix) {
        Stream<String> page = endpoints.hasPage() ? Stream.of("/observe/*") : Stream.of();
        return Stream.concat(Stream.of("/metrics", "/health/live", "/health/ready", "/profile"), page)
                .map(prefix::concat)
                .toArray(String[]::new);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        EndpointResponse endpoint = endpoint(request);
        if (endpoint == null) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        response.setStatus(endpoint.status());
        response.setHeader("Content-Type", endpoint.contentType());
        endpoint.headers().forEach(response::setHeader);
        response.setContentLength(endpoint.body().length);
        response.getOutputStream().write(endpoint.body());
    }

    private @Nullable EndpointResponse endpoint(HttpServletRequest request) throws IOException {
        String path = request.getServletPath() + Objects.requireNonNullElse(request.getPathInfo(), "");
        int page = endpoints.hasPage() ? path.lastIndexOf(PAGE) : -1;
        if (page >= 0) {
            return endpoints.page(path.substring(page + PAGE.length()));
        }
        if (path.endsWith("/metrics")) {
            return endpoints.metrics(joined(request, "Accept"), joined(request, "Accept-Encoding"));
        }
        if (path.endsWith("/health/live")) {
            return endpoints.live();
        }
        if (path.endsWith("/health/ready")) {
            return endpoints.ready();
        }
        return path.endsWith("/profile") ? endpoints.profile() : null;
    }

    private static @Nullable String joined(HttpServletRequest request, String name) {
        List<String> values = Collections.list(request.getHeaders(name));
        return values.isEmpty() ? null : String.join(", ", values);
    }
}
