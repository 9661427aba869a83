// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe;

import dev.porchlight.observe.health.CheckReport;
import dev.porchlight.observe.health.HealthListener;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.metrics.Gauge;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.metrics.Timer;

/** Records health checks: metrics for every run, a log line for every change. */
final class HealthTelemetry implements HealthListener {
    private final Logger logger;
    private final Gauge status;
    private final Timer durations;

    HealthTelemetry(Logger logger, MetricRegistry metrics) {
        this.logger = logger;
        status = metrics.gauge("health_check_status")
                .help("1 when a health check is up, 0 when it is down.")
                .labels("check")
                .register();
        durations = metrics.timer("health_check_duration_seconds")
                .help("Duration of health checks, up to their timeout.")
                .labels("check")
                .register();
    }

    @Override
    public void checked(CheckReport report) {
        status.with(report.name()).set(report.up() ? 1 : 0);
        durations.with(report.name()).record(report.durationNanos());
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
