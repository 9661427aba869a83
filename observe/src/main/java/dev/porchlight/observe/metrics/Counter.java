// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/**
 * A number that only grows. Thread-safe; recording is lock-free and does not allocate.
 *
 * <pre>{@code
 * Counter logins = metrics.counter("logins_total").help("Logins, by result.").labels("result").register();
 * logins.with(Map.of("result", "ok")).inc();             // labels by name
 * logins.with("ok").inc();                               // labels by position
 * CounterSeries ok = logins.with("ok"); ok.inc();        // bound once, no lookup
 * }</pre>
 */
public final class Counter extends Metric<CounterSeries> {
    Counter(Family family) {
        super(family, values -> new CounterSeries(family, values));
    }

    /** Adds one to a counter without labels. */
    public void inc() {
        only().inc();
    }

    /** Adds to a counter without labels. */
    public void inc(long amount) {
        only().inc(amount);
    }

    /** Adds to a counter without labels. */
    public void inc(double amount) {
        only().inc(amount);
    }
}
