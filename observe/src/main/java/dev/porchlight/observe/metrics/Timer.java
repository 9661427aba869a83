// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * A histogram of durations in seconds, whose sum is exact to the nanosecond. Thread-safe; recording is lock-free and
 * does not allocate.
 *
 * <pre>{@code
 * Timer queries = metrics.timer("query_seconds").help("Query time.").labels("table").register();
 * List<Row> rows = queries.with("credential").call(() -> select());
 * queries.with("credential").record(System.nanoTime() - start);
 * }</pre>
 */
public final class Timer extends Metric<TimerSeries> {
    Timer(Family family) {
        super(family, values -> new TimerSeries(family, values));
    }

    /** Records a duration in a timer without labels. */
    public void record(long nanos) {
        only().record(nanos);
    }

    /** Records a duration in a timer without labels. */
    public void record(Duration duration) {
        only().record(duration);
    }

    /** Runs and times {@code task} in a timer without labels, whether it succeeds or throws. */
    public void run(Runnable task) {
        only().run(task);
    }

    /** Runs and times {@code task} in a timer without labels, whether it succeeds or throws. */
    public <T> T call(Callable<T> task) throws Exception {
        return only().call(task);
    }
}
