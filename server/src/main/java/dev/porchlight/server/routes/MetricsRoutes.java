// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.metrics.Negotiation;
import dev.porchlight.server.http.Answer;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Router;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The exposition: {@code GET /metrics}, in the format and encoding the scraper asks for. */
public final class MetricsRoutes {
    private static final Problem BUSY =
            Problem.of(503, "too_many_scrapes", "Too many scrapes at once. Try again in a second.");

    private final Scrapes scrapes;

    /** The route, where a rendered scrape is reused for some time. */
    public MetricsRoutes(MetricRegistry metrics, Duration reused) {
        scrapes = new Scrapes(metrics::scrape, reused, System::nanoTime);
    }

    public void mount(Router.Builder router) {
        router.get("/metrics", this::scrape);
    }

    private Answer scrape(Exchange exchange) throws Exception {
        Negotiation negotiation =
                Negotiation.of(joined(exchange.headers("Accept")), joined(exchange.headers("Accept-Encoding")));
        byte[] body = scrapes.scrape(negotiation);
        if (body == null) {
            exchange.responseHeader("Retry-After", "1");
            throw new ProblemException(BUSY);
        }
        Answer answer = Answer.of(200, negotiation.contentType(), body)
                .with("Vary", Negotiation.VARY)
                .with("Cache-Control", "no-store");
        return negotiation.gzip() ? answer.with("Content-Encoding", "gzip") : answer;
    }

    private static @Nullable String joined(List<String> values) {
        return values.isEmpty() ? null : String.join(", ", values);
    }
}
