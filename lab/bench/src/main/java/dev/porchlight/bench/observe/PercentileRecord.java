// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.observe;

import dev.porchlight.observe.profile.RouteProfiler;
import dev.porchlight.observe.profile.RouteRecorder;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Recorder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Records a duration from which percentiles with at most one per cent of error are read later. Ours also keeps
 * the last minute separately, and receives the time from its caller, which has just measured it.
 */
@State(Scope.Thread)
public class PercentileRecord {
    private final Recorder theirs = new Recorder(1_000, TimeUnit.MINUTES.toNanos(1), 2);
    private final RouteRecorder ours = new RouteProfiler().recorder("GET /x");
    private final long[] nanos = Durations.nanos();
    private int next;
    private long now = System.nanoTime();

    @Benchmark
    public void hdrHistogram() {
        theirs.recordValue(nanos[next++ & Durations.MASK]);
    }

    @Benchmark
    public void ours() {
        now += 100;
        ours.record(nanos[next++ & Durations.MASK], now);
    }
}
