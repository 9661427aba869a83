// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.Map;

/** A number that goes up and down. Thread-safe; recording takes no lock and allocates nothing. */
public final class Gauge extends Metric<GaugeSeries> {
    Gauge(Family family) {
        super(family, values -> new GaugeSeries(family, values));
    }

    /** Sets a gauge without labels. */
    public void set(double value) {
        GaugeSeries series = only();
        if (series != null) {
            series.set(value);
        }
    }

    /** Adds to a gauge without labels; a negative amount takes away. */
    public void add(double amount) {
        GaugeSeries series = only();
        if (series != null) {
            series.add(amount);
        }
    }

    /** Sets the series with these labels. */
    public void set(double value, Map<String, String> labels) {
        GaugeSeries series = lookUp(labels);
        if (series != null) {
            series.set(value);
        }
    }

    /** Adds to the series with these labels; a negative amount takes away. */
    public void add(double amount, Map<String, String> labels) {
        GaugeSeries series = lookUp(labels);
        if (series != null) {
            series.add(amount);
        }
    }
}
