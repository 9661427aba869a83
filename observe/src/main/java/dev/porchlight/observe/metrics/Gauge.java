// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/** A number that goes up and down. Thread-safe; recording is lock-free and does not allocate. */
public final class Gauge extends Metric<GaugeSeries> {
    Gauge(Family family) {
        super(family, values -> new GaugeSeries(family, values));
    }

    /** Sets a gauge without labels. */
    public void set(double value) {
        only().set(value);
    }

    /** Adds to a gauge without labels; a negative amount subtracts. */
    public void add(double amount) {
        only().add(amount);
    }
}
