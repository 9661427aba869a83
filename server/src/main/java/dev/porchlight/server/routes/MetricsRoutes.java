// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.metrics.Negotiation;
import dev.porchlight.server.http.Answer;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Router;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The exposition: {@code GET /metrics}, in the format and encoding the scraper asks for. */
public final class MetricsRoutes {
    private final MetricRegistry metrics;

    public MetricsRoutes(MetricRegistry metrics) {
        this.metrics = metrics;
    }

    public void mount(Router.Builder router) {
        router.get("/metrics", this::scrape);
    }

    private Answer scrape(Exchange exchange) throws IOException {
        Negotiation negotiation =
                Negotiation.of(joined(exchange.headers("Accept")), joined(exchange.headers("Accept-Encoding")));
        ByteArrayOutputStream body = new ByteArrayOutputStream(16 * 1_024);
        metrics.scrape(negotiation, body);
        Answer answer = Answer.of(200, negotiation.contentType(), body.toByteArray())
                .with("Vary", Negotiation.VARY)
                .with("Cache-Control", "no-store");
        return negotiation.gzip() ? answer.with("Content-Encoding", "gzip") : answer;
    }

    private static @Nullable String joined(List<String> values) {
        return values.isEmpty() ? null : String.join(", ", values);
    }
}
