// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.support.Patience;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ContentionTest {
    private static final int THREADS = 8;
    private static final int ROUNDS = 20_000;

    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final MetricRegistry registry = new MetricRegistry();

    @AfterEach
    void stop() {
        pool.shutdownNow();
    }

    @Test
    void nothing_is_lost_and_no_counter_decreases_under_concurrent_recording_and_scraping() throws Exception {
        Counter counter = registry.counter("c_total").help("h").labels("x").register();
        Counter parts = registry.counter("parts_total").help("h").register();
        Gauge gauge = registry.gauge("g").help("h").register();
        Timer timer = registry.timer("h_seconds")
                .help("h")
                .buckets(0.001, 0.01, 0.1)
                .labels("x")
                .register();
        AtomicBoolean done = new AtomicBoolean();
        Future<Integer> scraper = pool.submit(() -> scrapeUntil(done));

        onAllThreads(thread -> {
            for (int i = 0; i < ROUNDS; i++) {
                String label = "x" + i % 50;
                counter.with(label).inc();
                parts.inc(0.5);
                gauge.add(1);
                timer.with(label).record((i % 200) * 1_000_000L);
                timer.with(label).observe(0.25);
            }
            return null;
        });
        done.set(true);

        assertThat(scraper.get(Patience.SECONDS, TimeUnit.SECONDS)).isPositive();
        Exposition read = Exposition.of(registry, Format.OPENMETRICS);
        double total = THREADS * ROUNDS;
        assertThat(sum(read, "c_total")).isEqualTo(total);
        assertThat(read.value("parts_total")).isEqualTo(total / 2);
        assertThat(read.value("g")).isEqualTo(total);
        assertThat(sum(read, "h_seconds_count")).isEqualTo(2 * total);
        double nanosPart = 199 / 2.0 / 1000;
        assertThat(sum(read, "h_seconds_sum")).isCloseTo(total * (nanosPart + 0.25), within());
    }

    @Test
    void threads_that_bind_the_same_new_labels_get_the_same_series() throws Exception {
        Counter counter =
                registry.counter("c_total").help("h").labels("a", "b", "c").register();
        List<Set<CounterSeries>> found = onAllThreads(thread -> {
            Set<CounterSeries> mine = new HashSet<>();
            for (int i = 0; i < 1_500; i++) {
                mine.add(counter.with(String.valueOf(i), "b", String.valueOf(i % 7)));
            }
            return mine;
        });
        assertThat(found).allSatisfy(set -> assertThat(set).hasSize(1_500).isEqualTo(found.get(0)));
        assertThat(counter.overflowCount()).isZero();
    }

    @Test
    void concurrent_overflows_lose_nothing() throws Exception {
        Counter counter = registry.counter("c_total").help("h").labels("x").register();
        onAllThreads(thread -> {
            for (int i = 0; i < 5_000; i++) {
                counter.with(thread + "/" + i).inc();
            }
            return null;
        });
        Exposition read = Exposition.of(registry, Format.TEXT);
        assertThat(sum(read, "c_total")).isEqualTo(THREADS * 5_000);
        assertThat(read.samples("c_total")).hasSize(MetricRegistry.SERIES_LIMIT + 1);
    }

    /** Checks that every exposition is valid and that no counter or bucket decreases. */
    private int scrapeUntil(AtomicBoolean done) {
        Map<Object, Double> last = new HashMap<>();
        int scrapes = 0;
        do {
            Exposition read = Exposition.of(registry, scrapes % 2 == 0 ? Format.TEXT : Format.OPENMETRICS);
            for (Exposition.Family family : read.families()) {
                for (Exposition.Sample sample : family.samples()) {
                    Object key = List.of(sample.name(), sample.labels());
                    assertThat(sample.value()).as(key.toString()).isGreaterThanOrEqualTo(last.getOrDefault(key, 0.0));
                    last.put(key, sample.value());
                }
            }
            scrapes++;
        } while (!done.get());
        return scrapes;
    }

    private interface Task<T> {
        T run(int thread) throws Exception;
    }

    private <T> List<T> onAllThreads(Task<T> task) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Callable<T>> calls = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            int number = thread;
            calls.add(() -> {
                start.await();
                return task.run(number);
            });
        }
        List<T> results = new ArrayList<>();
        for (Future<T> future : pool.invokeAll(calls)) {
            results.add(future.get());
        }
        return results;
    }

    private static double sum(Exposition read, String name) {
        return read.samples(name).stream().mapToDouble(Exposition.Sample::value).sum();
    }

    private static Offset<Double> within() {
        return Offset.offset(1e-3);
    }
}
