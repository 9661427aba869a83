// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

import java.util.List;

/**
 * The response to a probe. Immutable.
 *
 * @param checks in order of registration
 * @param remainingMs the rest of the start-up delay, 0 when it is over
 * @param draining whether the service is shutting down
 */
public record HealthReport(List<CheckReport> checks, long remainingMs, boolean draining) {
    public HealthReport {
        checks = List.copyOf(checks);
    }

    /** Whether to answer 200; otherwise 503. */
    public boolean ok() {
        return remainingMs == 0 && !draining && checks.stream().allMatch(CheckReport::up);
    }

    /** The body, as UTF-8 JSON, with every detail the checks gave. */
    public byte[] json() {
        return HealthJson.write(this, true);
    }

    /** The body without the checks' details, for readers who need not know a database's address. */
    public byte[] jsonWithoutDetails() {
        return HealthJson.write(this, false);
    }
}
