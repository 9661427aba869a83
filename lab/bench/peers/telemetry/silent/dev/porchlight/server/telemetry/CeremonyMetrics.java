// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.metrics.MetricRegistry;

/** No counts. */
final class CeremonyMetrics implements CeremonyTelemetry.ContextListener {
    CeremonyMetrics(MetricRegistry metrics) {}
}
