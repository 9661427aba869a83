// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.passkey.Operation;
import dev.porchlight.server.http.Stack;

/** The service's timer, recorded with Micrometer. */
final class CeremonyMetrics implements CeremonyTelemetry.ContextListener {
    CeremonyMetrics(MetricRegistry metrics) {}

    @Override
    public void finished(Operation operation, CeremonyContext context) {
        Stack.record(
                "passkey.ceremonies",
                context.nanos,
                "ceremony",
                operation.code(),
                "outcome",
                context.result,
                "reason",
                context.reason);
    }
}
