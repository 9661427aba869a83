// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.metrics.Counter;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.metrics.Timer;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.Step;

/** Counts and times ceremony operations. Thread-safe. */
final class CeremonyMetrics implements CeremonyTelemetry.ContextListener {
    private final Counter operations;
    private final Timer durations;
    private final Counter suspicions;

    CeremonyMetrics(MetricRegistry metrics) {
        operations = metrics.counter("passkey_ceremonies_total")
                .help("Ceremony operations, by outcome and refusing step.")
                .labels("ceremony", "outcome", "reason")
                .register();
        durations = metrics.timer("passkey_ceremony_duration_seconds")
                .help("Duration of ceremony operations.")
                .labels("ceremony", "outcome")
                .register();
        suspicions = metrics.counter("passkey_suspicions_total")
                .help("Logins that succeeded but look suspicious.")
                .labels("reason")
                .register();
        // Rare, and used by alerts: they exist with 0 from the start.
        suspicions.with(Step.SIGN_COUNT.code());
        suspicions.with(CeremonyTelemetry.BECAME_BACKUP_ELIGIBLE);
        operations.with(Operation.FINISH_AUTHENTICATION.code(), "refused", Step.SIGN_COUNT.code());
    }

    @Override
    public void suspicious(String reason) {
        suspicions.with(reason).inc();
    }

    @Override
    public void finished(Operation operation, CeremonyContext context) {
        operations.with(operation.code(), context.result, context.reason).inc();
        durations.with(operation.code(), context.result).record(context.nanos);
    }
}
