// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.observe.http.EndpointResponse;
import dev.porchlight.observe.http.TelemetryEndpoints;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Routes for monitoring: {@code GET /health/live}, {@code GET /health/ready} and {@code GET /metrics}, in the format
 * and encoding that the scraper accepts. The doctor requests {@code GET /admin/request} to see how proxies changed a request.
 */
public final class ProbeRoutes {
    private static final Problem TOO_MANY_SCRAPES =
            Problem.of(503, "too_many_scrapes", "Too many scrapes at once. Try again in a second.");

    private final TelemetryEndpoints endpoints;

    public ProbeRoutes(TelemetryEndpoints endpoints) {
        this.endpoints = endpoints;
    }

    public void mount(Router.Builder router) {
        router.get("/health/live", Access.PROBE, exchange -> response(endpoints.live()));
        router.get("/health/ready", Access.PROBE, exchange -> response(endpoints.ready()));
        router.get("/metrics", Access.PROBE, this::scrape);
        router.get("/admin/request", Access.ADMIN_READ, ProbeRoutes::seen);
    }

    private Response scrape(Exchange exchange) throws Exception {
        EndpointResponse scraped =
                endpoints.metrics(joined(exchange.headers("Accept")), joined(exchange.headers("Accept-Encoding")));
        if (scraped.status() != 200) {
            exchange.responseHeader("Retry-After", "1");
            throw new ProblemException(TOO_MANY_SCRAPES);
        }
        return response(scraped);
    }

    private static Response response(EndpointResponse endpoint) {
        Response response = Response.of(endpoint.status(), endpoint.contentType(), endpoint.body());
        for (Map.Entry<String, String> header : endpoint.headers().entrySet()) {
            response = response.with(header.getKey(), header.getValue());
        }
        return response;
    }

    private static Response seen(Exchange exchange, Operator operator) {
        return Response.json(
                200,
                json -> json.text("scheme", exchange.scheme())
                        .text("host", exchange.serverName())
                        .text("client", exchange.clientAddress())
                        .text("peer", exchange.peerAddress())
                        .text("httpVersion", exchange.protocolVersion())
                        .text("operator", operator.label()));
    }

    private static @Nullable String joined(List<String> values) {
        return values.isEmpty() ? null : String.join(", ", values);
    }
}
