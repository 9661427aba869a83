// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.observe.health.HealthRegistry;
import dev.porchlight.observe.health.HealthReport;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.metrics.Negotiation;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Routes for monitoring: {@code GET /health/live}, {@code GET /health/ready} and {@code GET /metrics}, in the format
 * and encoding that the scraper accepts.
 */
public final class ProbeRoutes {
    private static final long RETRY_SECONDS = 5;
    private static final Problem TOO_MANY_SCRAPES =
            Problem.of(503, "too_many_scrapes", "Too many scrapes at once. Try again in a second.");

    private final HealthRegistry health;
    private final boolean details;
    private final Scrapes scrapes;

    /**
     * The routes of two registries.
     *
     * @param details whether health responses contain more than up and down, such as a database's address
     * @param reused how long a rendered scrape is reused
     */
    public ProbeRoutes(HealthRegistry health, boolean details, MetricRegistry metrics, Duration reused) {
        this.health = health;
        this.details = details;
        this.scrapes = new Scrapes(metrics::scrape, reused, System::nanoTime);
    }

    public void mount(Router.Builder router) {
        router.get("/health/live", Access.PROBE, exchange -> response(health.live()));
        router.get("/health/ready", Access.PROBE, exchange -> response(health.ready()));
        router.get("/metrics", Access.PROBE, this::scrape);
    }

    private Response response(HealthReport report) {
        byte[] body = details ? report.json() : report.jsonWithoutDetails();
        if (report.ok()) {
            return Response.json(200, body).with("Cache-Control", "no-store");
        }
        long retry = report.remainingMs() > 0 ? (report.remainingMs() + 999) / 1_000 : RETRY_SECONDS;
        return Response.json(503, body).with("Cache-Control", "no-store").with("Retry-After", Long.toString(retry));
    }

    private Response scrape(Exchange exchange) throws Exception {
        Negotiation negotiation =
                Negotiation.of(joined(exchange.headers("Accept")), joined(exchange.headers("Accept-Encoding")));
        byte[] body = scrapes.scrape(negotiation);
        if (body == null) {
            exchange.responseHeader("Retry-After", "1");
            throw new ProblemException(TOO_MANY_SCRAPES);
        }
        Response response = Response.of(200, negotiation.contentType(), body)
                .with("Vary", Negotiation.VARY)
                .with("Cache-Control", "no-store");
        return negotiation.gzip() ? response.with("Content-Encoding", "gzip") : response;
    }

    private static @Nullable String joined(List<String> values) {
        return values.isEmpty() ? null : String.join(", ", values);
    }
}
