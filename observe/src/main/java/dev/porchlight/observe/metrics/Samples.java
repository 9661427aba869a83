// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/** Takes the values of a callback gauge or counter while it is scraped. Of no use once the callback has returned. */
public interface Samples {
    /** Gives one series its value. Of two values for the same labels the later one counts. */
    void sample(double value, String... labelValues);
}
