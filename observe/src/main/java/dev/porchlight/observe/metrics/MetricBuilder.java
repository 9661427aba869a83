// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Describes a metric; obtained from a {@link MetricRegistry}. Not thread-safe.
 *
 * @param <B> the builder's own type
 */
public abstract sealed class MetricBuilder<B extends MetricBuilder<B>> {
    final MetricRegistry registry;
    private final MetricType type;
    private final String name;
    private @Nullable String help;
    private List<String> labels = List.of();

    private MetricBuilder(MetricRegistry registry, MetricType type, String name) {
        this.registry = registry;
        this.type = type;
        this.name = name;
    }

    /** Sets the help text, shown in expositions and dashboards. */
    public B help(String text) {
        help = text;
        return self();
    }

    /** Sets the names of the labels; a metric without labels has one series. */
    public B labels(String... names) {
        labels = Arrays.asList(Objects.requireNonNull(names, "names").clone());
        return self();
    }

    @SuppressWarnings("unchecked") // each subclass names itself
    private B self() {
        return (B) this;
    }

    final Family family(double @Nullable [] bounds) {
        return registry.family(type, name, help, labels, bounds);
    }

    final void callback(Consumer<CallbackMetric> callback) {
        registry.register(new CallbackMetric(family(null), callback));
    }

    /** Describes a counter or a gauge. Its values are recorded, or read from a callback at each scrape. */
    public static final class OfValues<M extends Metric<?>> extends MetricBuilder<OfValues<M>> {
        private final Function<Family, M> live;

        OfValues(MetricRegistry registry, MetricType type, String name, Function<Family, M> live) {
            super(registry, type, name);
            this.live = live;
        }

        /**
         * Registers the metric.
         *
         * @throws IllegalArgumentException if the name is taken, or a name or the help text is invalid
         */
        public M register() {
            return registry.register(live.apply(family(null)));
        }

        /** Registers a metric without labels that is read at each scrape. */
        public void read(DoubleSupplier value) {
            Objects.requireNonNull(value, "value");
            read(samples -> samples.sample(value.getAsDouble()));
        }

        /** Registers a metric that is read at each scrape. */
        public void read(Consumer<Samples> callback) {
            Objects.requireNonNull(callback, "callback");
            callback(metric -> callback.accept((value, labels) -> metric.sample(value, 0, labels)));
        }
    }

    /** Describes a histogram or a timer. */
    public static final class OfBuckets<M extends Metric<?>> extends MetricBuilder<OfBuckets<M>> {
        private final Function<Family, M> live;
        private double[] bounds = Histogram.latencyBuckets();

        OfBuckets(MetricRegistry registry, String name, Function<Family, M> live) {
            super(registry, MetricType.HISTOGRAM, name);
            this.live = live;
        }

        /** Sets ascending upper bounds, in seconds for durations. The default is {@link Histogram#latencyBuckets()}. */
        public OfBuckets<M> buckets(double... upperBounds) {
            bounds = Objects.requireNonNull(upperBounds, "upperBounds").clone();
            return this;
        }

        /**
         * Registers the metric.
         *
         * @throws IllegalArgumentException if the name is taken, or a name, the help text or a bound is invalid
         */
        public M register() {
            return registry.register(live.apply(family(bounds)));
        }
    }

    /** Describes a summary (a count and a sum) that is read from a callback at each scrape. */
    public static final class OfTotals extends MetricBuilder<OfTotals> {
        OfTotals(MetricRegistry registry, String name) {
            super(registry, MetricType.SUMMARY, name);
        }

        /** Registers a summary that is read at each scrape. */
        public void read(Consumer<Totals> callback) {
            Objects.requireNonNull(callback, "callback");
            callback(metric -> callback.accept((count, sum, labels) -> metric.sample(sum, count, labels)));
        }
    }

    /** Receives the values of a counter or gauge during a scrape. Valid only during the callback. */
    public interface Samples {
        /** Sets the value of one series. The last value for the same labels wins. */
        void sample(double value, String... labelValues);
    }

    /** Receives the values of a summary during a scrape. Valid only during the callback. */
    public interface Totals {
        /** Sets the count and the sum of one series. */
        void sample(long count, double sum, String... labelValues);
    }
}
