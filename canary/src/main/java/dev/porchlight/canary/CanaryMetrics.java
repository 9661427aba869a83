// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.canary;

import dev.porchlight.observe.metrics.Counter;
import dev.porchlight.observe.metrics.Gauge;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.metrics.Timer;
import java.time.Instant;

/** The results of the rounds. Series that alerts use exist with 0 from the start. Thread-safe. */
final class CanaryMetrics {
    static final String OK = "ok";
    static final String FAILED = "failed";
    static final String ACCEPTED = "accepted";

    /** A round is not quite thirty requests. */
    private static final double[] SECONDS = {0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30};

    private final Counter rounds;
    private final Counter steps;
    private final Counter accepted;
    private final Timer durations;
    private final Gauge lastSuccess;

    CanaryMetrics(MetricRegistry metrics) {
        rounds = metrics.counter("passkey_canary_rounds_total")
                .help("Rounds of the canary by outcome.")
                .labels("outcome")
                .register();
        steps = metrics.counter("passkey_canary_steps_total")
                .help("Steps of the canary's rounds by outcome; a bad assertion that is refused is ok.")
                .labels("step", "outcome")
                .register();
        accepted = metrics.counter("passkey_canary_accepted_bad_total")
                .help("Known-bad assertions of the canary that were accepted.")
                .register();
        durations = metrics.timer("passkey_canary_duration_seconds")
                .help("Time a round of the canary took.")
                .buckets(SECONDS)
                .register();
        lastSuccess = metrics.gauge("passkey_canary_last_success_timestamp_seconds")
                .help("When a round of the canary last succeeded, since 1970; 0 before the first.")
                .register();
        rounds.with(OK);
        rounds.with(FAILED);
        rounds.with(ACCEPTED);
        lastSuccess.set(0);
    }

    /** A step and its outcome: as it should be, not so, or a lie that was accepted. */
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
