// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.canary;

import dev.porchlight.observe.metrics.Counter;
import dev.porchlight.observe.metrics.Gauge;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.metrics.Timer;
import java.time.Instant;

/** Metrics of the canary. Series that alerts use start at 0. Thread-safe. */
final class CanaryMetrics {
    static final String OK = "ok";
    static final String FAILED = "failed";
    static final String ACCEPTED = "accepted";

    /** A round has almost thirty requests. */
    private static final double[] SECONDS = {0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30};

    private final Counter rounds;
    private final Counter steps;
    private final Counter accepted;
    private final Timer durations;
    private final Gauge lastSuccess;

    CanaryMetrics(MetricRegistry metrics) {
        rounds = metrics.counter("passkey_canary_rounds_total")
                .help("Canary rounds, by outcome.")
                .labels("outcome")
                .register();
        steps = metrics.counter("passkey_canary_steps_total")
                .help("Canary steps, by outcome; a refused bad assertion is ok.")
                .labels("step", "outcome")
                .register();
        accepted = metrics.counter("passkey_canary_accepted_bad_total")
                .help("Bad assertions of the canary that were accepted.")
                .register();
        durations = metrics.timer("passkey_canary_duration_seconds")
                .help("Duration of a canary round.")
                .buckets(SECONDS)
                .register();
        lastSuccess = metrics.gauge("passkey_canary_last_success_timestamp_seconds")
                .help("Time of the last successful canary round, in seconds since 1970; 0 before the first.")
                .register();
        rounds.with(OK);
        rounds.with(FAILED);
        rounds.with(ACCEPTED);
        lastSuccess.set(0);
    }

    /** Records a step: as expected, failed, or a bad assertion that was accepted. */
    void step(String step, String outcome) {
        steps.with(step, outcome).inc();
        if (outcome.equals(ACCEPTED)) {
            accepted.inc();
        }
    }

    void round(String outcome, long nanos, Instant end) {
        rounds.with(outcome).inc();
        durations.record(nanos);
        if (outcome.equals(OK)) {
            lastSuccess.set(end.toEpochMilli() / 1e3);
        }
    }
}
