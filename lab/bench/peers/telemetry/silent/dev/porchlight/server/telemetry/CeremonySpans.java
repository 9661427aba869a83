// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.trace.Tracer;

/** No spans. */
final class CeremonySpans implements CeremonyTelemetry.ContextListener {
    CeremonySpans(Tracer tracer) {}
}
