// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.log.Pseudonyms;

/** No lines. */
final class CeremonyLog implements CeremonyTelemetry.ContextListener {
    CeremonyLog(Pseudonyms pseudonyms) {}
}
