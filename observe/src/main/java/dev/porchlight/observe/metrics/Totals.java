// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/** Takes the values of a callback summary while it is scraped. Of no use once the callback has returned. */
public interface Totals {
    /** Gives one series how many events there were and what they add up to. */
    void sample(long count, double sum, String... labelValues);
}
