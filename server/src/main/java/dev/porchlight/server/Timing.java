// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.observe.page.StateSampler;
import java.time.Clock;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The clocks and intervals of the service, which tests replace. Immutable.
 *
 * @param clock the clock for expiry
 * @param nanoTime the monotonic clock by which this instance's rate limits refill
 * @param databaseStart how long to wait for an unreachable database at startup
 * @param sampling the interval between two samples of the console
 * @param scrapeReuse how long a rendered scrape of the metrics is reused
 * @param refusalWrites the interval between two writes of refused ceremonies
 */
record Timing(
        Clock clock,
        LongSupplier nanoTime,
        Duration databaseStart,
        Duration sampling,
        Duration scrapeReuse,
        Duration refusalWrites) {
    static Timing of(Clock clock) {
        Duration second = Duration.ofSeconds(1);
        return new Timing(clock, System::nanoTime, Duration.ofSeconds(10), StateSampler.INTERVAL, second, second);
    }
}
