// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.server.operator.console.StateSampler;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Waiting times of the service. Immutable.
 *
 * @param database how long to wait for an unreachable database at startup
 * @param sampling the interval between two samples of the console
 * @param scrapes how long a rendered scrape of the metrics is reused
 * @param refusals the interval between two writes of refused ceremonies
 * @param nanoTime the monotonic clock by which this instance's rate limits refill
 */
record Pace(Duration database, Duration sampling, Duration scrapes, Duration refusals, LongSupplier nanoTime) {
    static final Pace DEFAULT = new Pace(
            Duration.ofSeconds(10),
            StateSampler.INTERVAL,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            System::nanoTime);
}
