// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class RouteProfilerTest {
    private static final Percentage ONE_PERCENT = Percentage.withPercentage(1);
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong now = new AtomicLong(-25 * SECOND);
    private final RouteProfiler profiler = new RouteProfiler(3, now::get);

    @Test
    void statistics_have_percentiles_count_and_mean_in_milliseconds() {
        for (int ms = 1; ms <= 100; ms++) {
            profiler.record("GET /x", ms);
        }
        RouteStatistics statistics = profiler.statistics("GET /x");
        assertThat(statistics.p50()).isCloseTo(50, ONE_PERCENT);
        assertThat(statistics.p95()).isCloseTo(95, ONE_PERCENT);
        assertThat(statistics.p99()).isCloseTo(99, ONE_PERCENT);
        assertThat(statistics.count()).isEqualTo(100);
        assertThat(statistics.mean()).isEqualTo(50.5);
    }

    @Test
    void the_median_of_two_is_the_smaller_and_the_95th_percentile_the_larger() {
        profiler.record("GET /x", 10);
        profiler.record("GET /x", 1_000);
        assertThat(profiler.statistics("GET /x").p50()).isCloseTo(10, ONE_PERCENT);
        assertThat(profiler.statistics("GET /x").p95()).isCloseTo(1_000, ONE_PERCENT);
    }

    @Test
    void an_unknown_route_has_empty_statistics() {
        assertThat(profiler.statistics("GET /x")).isEqualTo(new RouteStatistics(0, 0, 0, 0, 0));
        assertThat(profiler.lastMinute("GET /x").count()).isZero();
        assertThat(profiler.statistics()).isEmpty();
    }

    @Test
    void invalid_durations_are_ignored() {
        profiler.record("GET /x", -1);
        profiler.record("GET /x", Double.NaN);
        profiler.record("GET /x", Double.POSITIVE_INFINITY);
        profiler.recorder("GET /x").record(-1);
        assertThat(profiler.statistics("GET /x").count()).isZero();
    }

    @Test
    void a_duration_beyond_the_range_counts_as_the_maximum() {
        profiler.record("GET /x", 1e12);
        profiler.recorder("GET /x").record(Long.MAX_VALUE);
        assertThat(profiler.statistics("GET /x").count()).isEqualTo(2);
        assertThat(profiler.statistics("GET /x").p99()).isCloseTo(LogLinear.LARGEST / 1e6, ONE_PERCENT);
        assertThat(profiler.statistics("GET /x").mean()).isCloseTo(LogLinear.LARGEST / 1e6, within(1e-3));
    }

    @Test
    void a_duration_of_hours_is_accurate() {
        double day = 86_400_000;
        profiler.record("GET /x", day);
        profiler.record("GET /x", 2 * day);
        assertThat(profiler.statistics("GET /x").p50()).isCloseTo(day, ONE_PERCENT);
        assertThat(profiler.statistics("GET /x").p99()).isCloseTo(2 * day, ONE_PERCENT);
        assertThat(profiler.statistics("GET /x").mean()).isEqualTo(1.5 * day);
    }

    @Test
    void no_percentile_exceeds_the_longest_duration() {
        for (long nanos = 1; nanos < 1L << 50; nanos = nanos * 5 / 4 + 1) {
            RouteProfiler fresh = new RouteProfiler(1, now::get);
            fresh.recorder("GET /x").record(nanos);
            now.addAndGet(100 * SECOND);
            fresh.recorder("GET /x").record(0); // the first is among the totals of earlier periods now
            assertThat(fresh.statistics("GET /x").p99()).isLessThanOrEqualTo(nanos / 1e6);
        }
    }

    @Test
    void a_null_route_has_its_own_statistics() {
        profiler.record(null, 5);
        profiler.recorder(null).record(5);
        assertThat(profiler.statistics((String) null).count()).isEqualTo(2);
        assertThat(profiler.lastMinute((String) null).count()).isEqualTo(2);
    }

    @Test
    void the_last_minute_excludes_older_durations_and_the_total_does_not() {
        profiler.record("GET /x", 5);
        for (int i = 0; i < 5; i++) {
            now.addAndGet(10 * SECOND);
            profiler.record("GET /x", 50);
        }
        assertThat(profiler.lastMinute("GET /x").count()).isEqualTo(6);
        now.addAndGet(10 * SECOND);
        assertThat(profiler.lastMinute("GET /x").count()).isEqualTo(5);
        assertThat(profiler.lastMinute("GET /x").mean()).isEqualTo(50);
        profiler.record("GET /x", 50);
        now.addAndGet(3_600 * SECOND);
        assertThat(profiler.lastMinute("GET /x").count()).isZero();
        profiler.record("GET /x", 500);
        assertThat(profiler.lastMinute("GET /x").mean()).isEqualTo(500);
        assertThat(profiler.statistics("GET /x").count()).isEqualTo(8);
        assertThat(profiler.statistics("GET /x").mean()).isEqualTo((5 + 6 * 50 + 500) / 8.0);
    }

    @Test
    void routes_beyond_the_limit_share_one_key() {
        for (int i = 0; i < 100; i++) {
            profiler.record("GET /" + i, 1);
            profiler.record("GET /" + i, 1);
        }
        assertThat(profiler.statistics().keySet()).containsExactly("GET /0", "GET /1", "GET /2", "__overflow__");
        assertThat(profiler.statistics("__overflow__").count()).isEqualTo(194);
        assertThat(profiler.statistics("GET /1").count()).isEqualTo(2);
        assertThatIllegalArgumentException().isThrownBy(() -> new RouteProfiler(0, now::get));
    }

    @Test
    void nothing_is_lost_while_periods_change_and_readers_read() throws Exception {
        RouteProfiler busy = new RouteProfiler(10, now::get);
        int threads = 4;
        int each = 50_000;
        List<Thread> writers = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            Thread writer = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    busy.recorder("GET /x").record(1_000 + i);
                    if (i % 10 == 0) {
                        now.addAndGet(SECOND);
                    }
                }
            });
            writer.start();
            writers.add(writer);
        }
        long seen = 0;
        while (writers.stream().anyMatch(Thread::isAlive)) {
            long count = busy.statistics("GET /x").count();
            assertThat(count).isGreaterThanOrEqualTo(seen);
            seen = count;
        }
        RouteStatistics statistics = busy.statistics("GET /x");
        assertThat(statistics.count()).isEqualTo((long) threads * each);
        assertThat(statistics.mean()).isCloseTo((1_000 + (each - 1) / 2.0) / 1e6, within(1e-9));
    }
}
