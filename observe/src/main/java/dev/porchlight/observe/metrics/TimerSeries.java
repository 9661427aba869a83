// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.trace.SpanContext;
import java.time.Duration;
import java.util.concurrent.Callable;

/** One label set of a timer. Thread-safe. */
public final class TimerSeries extends HistogramSeries {
    TimerSeries(Family family, String[] values) {
        super(family, values);
    }

    /** Records a duration, such as a difference of {@link System#nanoTime()}. A negative duration is refused. */
    public void record(long nanos) {
        observeNanos(nanos);
    }

    public void record(Duration duration) {
        if (duration == null) {
            observe(Double.NaN);
            return;
        }
        try {
            observeNanos(duration.toNanos());
        } catch (ArithmeticException tooLong) {
            observe((double) duration.toSeconds());
        }
    }

    /** Records a duration with an explicit span for the exemplar. */
    public void record(long nanos, SpanContext span) {
        observeNanos(nanos, span);
    }

    /** Runs and times {@code task}, whether it succeeds or throws. */
    public void run(Runnable task) {
        long start = System.nanoTime();
        try {
            task.run();
        } finally {
            record(System.nanoTime() - start);
        }
    }

    /** Runs and times {@code task}, whether it succeeds or throws. */
    public <T> T call(Callable<T> task) throws Exception {
        long start = System.nanoTime();
        try {
            return task.call();
        } finally {
            record(System.nanoTime() - start);
        }
    }
}
