// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.Map;

/**
 * A number that only grows. Thread-safe; recording takes no lock and allocates nothing.
 *
 * <pre>{@code
 * logins.inc(Map.of("result", "ok"));                    // a label object, by name
 * logins.with("ok").inc();                               // by position
 * CounterSeries ok = logins.with("ok"); ok.inc();        // bound once, no lookup
 * }</pre>
 */
public final class Counter extends Metric<CounterSeries> {
    Counter(Family family) {
        super(family, values -> new CounterSeries(family, values));
    }

    /** Adds one to a counter without labels. */
    public void inc() {
        CounterSeries series = only();
        if (series != null) {
            series.inc();
        }
    }

    /** Adds to a counter without labels. */
    public void inc(long amount) {
        CounterSeries series = only();
        if (series != null) {
            series.inc(amount);
        }
    }

    /** Adds to a counter without labels. */
    public void inc(double amount) {
        CounterSeries series = only();
        if (series != null) {
            series.inc(amount);
        }
    }

    /** Adds one to the series with these labels. */
    public void inc(Map<String, String> labels) {
        CounterSeries series = lookUp(labels);
        if (series != null) {
            series.inc();
        }
    }

    /** Adds to the series with these labels. */
    public void inc(double amount, Map<String, String> labels) {
        CounterSeries series = lookUp(labels);
        if (series != null) {
            series.inc(amount);
        }
    }
}
