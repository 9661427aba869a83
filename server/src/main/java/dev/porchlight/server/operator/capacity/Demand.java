// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.capacity;

import java.time.Duration;

/**
 * What is asked of a deployment.
 *
 * @param peak how many times the average the busiest minute is
 * @param checkMicros CPU time of a signature check on the machines
 * @param sessions how long a session lives
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

    /** How many sessions are alive at a time, at most. */
    double liveSessions() {
        return averageLogins() * sessions.toSeconds();
    }
}
