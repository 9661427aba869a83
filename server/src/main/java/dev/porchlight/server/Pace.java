// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.server.operator.console.StateSampler;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long parts of the service wait. Immutable.
 *
 * @param database for a database that does not answer at the start
 * @param sampling between two samples of the console
 * @param scrapes for how long a rendered scrape of the metrics is reused
 * @param nanoTime the monotonic clock by which the rate limits of this instance refill
 */
record Pace(Duration database, Duration sampling, Duration scrapes, LongSupplier nanoTime) {
    static final Pace DEFAULT =
            new Pace(Duration.ofSeconds(10), StateSampler.INTERVAL, Duration.ofSeconds(1), System::nanoTime);
}
