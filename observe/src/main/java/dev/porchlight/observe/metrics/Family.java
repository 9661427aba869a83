// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The data that the series of a metric share: type, name, help text, label names, buckets, and the count of refused
 * recordings.
 */
final class Family {
    private static final String TOTAL = "_total";
    /** The base units that expositions and exports name. */
    private static final List<String> UNITS = List.of("seconds", "bytes", "ratio");

    final MetricType type;
    /** The name as registered, used in the text format. */
    final String name;
    /** The family's name in OpenMetrics: without {@code _total} for a counter. */
    final String base;

    final String help;
    final List<String> labelNames;
    final @Nullable Buckets buckets;

    final MetricRegistry.Settings settings;
    final LongAdder refused = new LongAdder();
    final LongAdder overflowed = new LongAdder();
    final LongAdder truncated = new LongAdder();
    private final AtomicBoolean reported = new AtomicBoolean();
    /** Cached text for {@link TextWriter}, which is the same in every scrape. */
    volatile byte @Nullable [][] text;

    Family(
            MetricType type,
            String given,
            @Nullable String help,
            List<String> labelNames,
            double @Nullable [] bounds,
            MetricRegistry.Settings settings) {
        this.type = type;
        this.name = Names.metric(given);
        boolean total = type == MetricType.COUNTER && name.endsWith(TOTAL);
        this.base = total ? Names.metric(name.substring(0, name.length() - TOTAL.length())) : name;
        this.help = Names.help(name, help);
        this.labelNames = Names.labels(name, type, labelNames);
        this.buckets = bounds == null ? null : new Buckets(name, bounds);
        this.settings = settings;
    }

    /** Returns the name of the samples in OpenMetrics: with {@code _total} for a counter. */
    String openMetricsName() {
        return type == MetricType.COUNTER ? base + TOTAL : base;
    }

    /** Returns the unit at the end of the name, or an empty text. */
    String unit() {
        for (String unit : UNITS) {
            if (base.endsWith("_" + unit)) {
                return unit;
            }
        }
        return "";
    }

    /** Counts a refused recording, and reports the first one of the metric. */
    void refuse(String reason) {
        refused.increment();
        if (reported.compareAndSet(false, true)) {
            try {
                settings.onMisuse().accept(new MetricMisuse(name, reason));
            } catch (RuntimeException e) {
                // a failing listener must not fail the recording thread
            }
        }
    }

    /** Returns every name that this family may use in an exposition. */
    List<String> reservedNames() {
        List<String> names = new ArrayList<>();
        names.add(base);
        type.suffixes().forEach(suffix -> names.add(base + suffix));
        return names;
    }
}
