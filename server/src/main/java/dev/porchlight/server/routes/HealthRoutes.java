// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.observe.health.HealthRegistry;
import dev.porchlight.observe.health.HealthReport;
import dev.porchlight.server.http.Answer;
import dev.porchlight.server.http.Router;

/** The probes: {@code GET /health/live} and {@code GET /health/ready}. */
public final class HealthRoutes {
    private static final long RETRY_SECONDS = 5;

    private final HealthRegistry health;
    private final boolean details;

    /**
     * The probes of a registry.
     *
     * @param details whether answers hold what the checks found beyond up and down, such as a database's address
     */
    public HealthRoutes(HealthRegistry health, boolean details) {
        this.health = health;
        this.details = details;
    }

    public void mount(Router.Builder router) {
        router.get("/health/live", exchange -> answer(health.live()));
        router.get("/health/ready", exchange -> answer(health.ready()));
    }

    private Answer answer(HealthReport report) {
        byte[] body = details ? report.json() : report.jsonWithoutDetails();
        if (report.ok()) {
            return Answer.json(200, body).with("Cache-Control", "no-store");
        }
        long retry = report.remainingMs() > 0 ? (report.remainingMs() + 999) / 1_000 : RETRY_SECONDS;
        return Answer.json(503, body).with("Cache-Control", "no-store").with("Retry-After", Long.toString(retry));
    }
}
