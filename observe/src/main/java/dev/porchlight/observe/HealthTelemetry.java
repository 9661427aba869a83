// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe;

import dev.porchlight.observe.health.CheckReport;
import dev.porchlight.observe.health.HealthListener;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.metrics.Gauge;
import dev.porchlight.observe.metrics.Histogram;
import dev.porchlight.observe.metrics.MetricRegistry;

/** What health checks find, as metrics at every run and as a log line at every change. */
final class HealthTelemetry implements HealthListener {
    private final Logger logger;
    private final Gauge status;
    private final Histogram durations;

    HealthTelemetry(Logger logger, MetricRegistry metrics) {
        this.logger = logger;
        status = metrics.gauge("health_check_status", "1 when a health check is up, 0 when it is down.", "check");
        durations = metrics.histogram(
                "health_check_duration_seconds",
                "Time a health check took, or was given before it was given up.",
                Histogram.latencyBuckets(),
                "check");
    }

    @Override
    public void checked(CheckReport report) {
        status.with(report.name()).set(report.up() ? 1 : 0);
        durations.with(report.name()).observeNanos(report.durationNanos());
    }

    @Override
    public void changed(CheckReport report) {
        Fields fields = new Fields()
                .put("check", report.name())
                .put("status", report.status().word())
                .put("durationMs", report.durationNanos() / 1e6)
                .put("details", report.details());
        if (report.up()) {
            logger.info("health check " + report.name() + " is up again", fields);
        } else {
            logger.warn("health check " + report.name() + " is down", fields);
        }
    }
}
