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

    /** Returns whether the response is 200; otherwise it is 503. */
    public boolean ok() {
        return remainingMs == 0
                && !draining
                && checks.stream().allMatch(check -> check.up() || check.type() == CheckType.OPTIONAL);
    }

    /** Returns whether the response is 200 although an optional check is down. */
    public boolean degraded() {
        return ok() && !checks.stream().allMatch(CheckReport::up);
    }

    /** Returns the body as UTF-8 JSON, with the checks' details. */
    public byte[] json() {
        return HealthJson.write(this, true);
    }

    /** Returns the body without the checks' details, which may contain addresses, for unauthenticated clients. */
    public byte[] jsonWithoutDetails() {
        return HealthJson.write(this, false);
    }
}
