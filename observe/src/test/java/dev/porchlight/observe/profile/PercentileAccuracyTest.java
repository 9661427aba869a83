// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.assertj.core.data.Percentage;

class PercentileAccuracyTest {
    @Property
    void percentiles_are_within_one_percent_of_the_exact_nearest_rank(@ForAll("durations") List<Long> durations) {
        RouteProfiler profiler = new RouteProfiler();
        durations.forEach(nanos -> profiler.recorder("GET /x").record(nanos));
        long[] sorted = durations.stream().mapToLong(Long::longValue).sorted().toArray();
        RouteStatistics statistics = profiler.statistics("GET /x");
        assertClose(statistics.p50(), exact(sorted, 50));
        assertClose(statistics.p95(), exact(sorted, 95));
        assertClose(statistics.p99(), exact(sorted, 99));
        assertThat(statistics.count()).isEqualTo(sorted.length);
    }

    @Property
    void the_middle_of_a_bucket_is_close_to_every_value_in_it(@ForAll @LongRange(max = (1L << 40) - 1) long nanos) {
        int index = LogLinear.index(nanos);
        assertThat(index).isBetween(0, LogLinear.BUCKETS - 1);
        assertThat(Math.abs(LogLinear.middle(index) - nanos)).isLessThanOrEqualTo(Math.max(8, nanos / 128.0));
    }

    @Property
    void buckets_are_in_order(@ForAll @LongRange(max = (1L << 40) - 2) long nanos) {
        assertThat(LogLinear.index(nanos + 1) - LogLinear.index(nanos)).isBetween(0, 1);
    }

    /** Durations spread evenly over the powers of two, like latencies. */
    @Provide
    Arbitrary<List<Long>> durations() {
        return Arbitraries.integers()
                .between(10, 38)
                .flatMap(exponent -> Arbitraries.longs().between(1L << exponent, (2L << exponent) - 1))
                .list()
                .ofMinSize(1)
                .ofMaxSize(300);
    }

    private static double exact(long[] sorted, int percent) {
        int rank = (sorted.length * percent + 99) / 100;
        return sorted[rank - 1] / 1e6;
    }

    private static void assertClose(double actual, double exact) {
        assertThat(actual).isCloseTo(exact, Percentage.withPercentage(1));
    }
}
