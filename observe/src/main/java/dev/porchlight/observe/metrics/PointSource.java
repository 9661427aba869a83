// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.otlp.ExportTime;
import dev.porchlight.observe.otlp.ItemSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Collects the points of a registry. A position is the number of a collection.
 *
 * <p>A label set that a callback stops reporting keeps its point for a while: if it only failed, a delta must not start
 * from zero again.
 */
final class PointSource implements ItemSource<Point> {
    private static final int KEPT_ROUNDS = 10;

    private final MetricRegistry registry;
    private final MetricExport.Temporality temporality;
    private final ExportTime time;
    private final SeriesReading reading = new SeriesReading();
    private final Map<Object, Point> points = new HashMap<>();
    private final AtomicLong due = new AtomicLong();
    private final AtomicBoolean last = new AtomicBoolean();
    private volatile boolean closed;
    private long previous;
    private int round;
    private int exemplarRound;

    PointSource(MetricRegistry registry, MetricExport.Temporality temporality, boolean exponential, ExportTime time) {
        this.registry = registry;
        this.temporality = temporality;
        this.time = time;
        this.previous = time.epochNanos();
        if (exponential) {
            registry.recordExponential();
            reading.wantsExponential = true;
        }
    }

    @Override
    public long position() {
        return due.get();
    }

    /** After a close, one last collection is due. */
    @Override
    public long due() {
        return closed && !last.compareAndSet(false, true) ? due.get() : due.incrementAndGet();
    }

    @Override
    public long drain(List<Point> batch, int max) {
        long position = due.get();
        long now = time.epochNanos();
        int before = batch.size();
        int[] seen = new int[1];
        round++;
        for (Metric<?> metric : registry.metrics()) {
            metric.read(reading, row -> {
                seen[0]++;
                Object key = key(row.series);
                Point point = points.get(key);
                if (point == null) {
                    point = new Point(row.series, delta(row.series), row.hasExponential(), previous);
                    points.put(key, point);
                }
                if (point.collect(row, round, exemplarRound, previous, now)) {
                    batch.add(point);
                }
            });
        }
        if (points.size() > seen[0]) {
            points.values().removeIf(point -> !point.collectedSince(round - KEPT_ROUNDS));
        }
        if (batch.size() > before) {
            exemplarRound = registry.exemplarsShown();
        }
        previous = now;
        return position;
    }

    /** Returns the series itself, or what identifies it if it may be replaced by an equal one. */
    private static Object key(Series series) {
        if (!(series instanceof CallbackMetric.CallbackSeries)) {
            return series;
        }
        List<Object> key = new ArrayList<>(series.values.length + 1);
        key.add(series.family);
        key.addAll(List.of(series.values));
        return key;
    }

    private boolean delta(Series series) {
        return switch (series.family.type) {
            case GAUGE, SUMMARY -> false;
            case COUNTER, HISTOGRAM ->
                temporality == MetricExport.Temporality.DELTA
                        || temporality == MetricExport.Temporality.LOWMEMORY
                                && !(series instanceof CallbackMetric.CallbackSeries);
        };
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public int size() {
        return 0;
    }

    @Override
    public int capacity() {
        return 0;
    }
}
