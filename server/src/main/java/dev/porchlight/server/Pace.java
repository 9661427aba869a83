// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.server.console.Sampler;
import java.time.Duration;

/**
 * How long parts of the service wait. Immutable.
 *
 * @param database for a database that does not answer at the start
 * @param sampling between two samples of the console
 */
record Pace(Duration database, Duration sampling) {
    static final Pace DEFAULT = new Pace(Duration.ofSeconds(10), Sampler.INTERVAL);
}
