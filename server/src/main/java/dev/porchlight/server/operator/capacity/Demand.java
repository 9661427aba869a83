// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.capacity;

import java.time.Duration;

/**
 * The load that a deployment must handle.
 *
 * @param peak the ratio of the busiest minute to the average
 * @param checkMicros CPU time of a signature check on the machines
 * @param sessions the lifetime of a session
 */
public record Demand(
        long users,
        long loginsPerDay,
        long registrationsPerDay,
        double passkeysPerUser,
        double peak,
        double checkMicros,
        Duration sessions) {
    private static final double SECONDS_A_DAY = 86_400;

    public double averageLogins() {
        return loginsPerDay / SECONDS_A_DAY;
    }

    public double peakLogins() {
        return averageLogins() * peak;
    }

    double peakRegistrations() {
        return registrationsPerDay / SECONDS_A_DAY * peak;
    }

    /** The maximum number of concurrent sessions. */
    double liveSessions() {
        return averageLogins() * sessions.toSeconds();
    }
}
