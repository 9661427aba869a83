// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.ObservabilitySettings;
import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.metrics.PoolState;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StateSamplerTest {
    private final Observability observe = Observability.open(
            ObservabilitySettings.fromEnvironment("test", Map.of()), LogWriter.to(OutputStream.nullOutputStream()));
    private final List<String> samples = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        observe.close();
    }

    @Test
    void counts_are_increases_since_the_previous_sample() {
        StateSampler sampler = sampler(Duration.ofHours(1));
        var requests = observe.automatic().http().route("GET", "/hello");
        requests.record(200, 1_000_000);
        requests.record(404, 1_000_000);
        requests.record(200, 1_000_000);
        sampler.sample();
        requests.record(503, 1_000_000);
        sampler.sample();
        sampler.sample();

        assertThat(samples.get(0)).contains("\"requests\":{\"2xx\":2,\"4xx\":1}");
        assertThat(samples.get(1)).contains("\"requests\":{\"5xx\":1}");
        assertThat(samples.get(2)).contains("\"requests\":{}");
    }

    @Test
    void an_application_adds_its_own_members() {
        observe.sampler(Clock.systemUTC(), Duration.ofHours(1), () -> "\"orders\":[{\"é\":7}]", samples::add)
                .sample();
        assertThat(samples.get(0)).contains(",\"orders\":[{\"é\":7}],\"requests\":{");
    }

    @Test
    void routes_are_the_sixteen_busiest_in_order() {
        for (int route = 0; route < 40; route++) {
            for (int i = 0; i <= route; i++) {
                observe.profiler().record("GET /" + route, 10);
            }
        }
        sampler(Duration.ofHours(1)).sample();

        assertThat(samples.get(0))
                .contains("\"routes\":[{\"route\":\"GET /39\",\"count\":40,\"p50\":")
                .contains("\"GET /24\"")
                .doesNotContain("\"GET /23\"")
                .containsPattern("\"p99\":(9\\.9|10\\.0)");
    }

    @Test
    void pool_heap_and_health_are_current_values() {
        AtomicBoolean up = new AtomicBoolean(true);
        observe.automatic().pool(() -> new PoolState(3, 2, 1));
        observe.health().register("database", () -> up.get() ? CheckResult.up() : CheckResult.down("gone"));
        StateSampler sampler = sampler(Duration.ofHours(1));
        sampler.sample();
        up.set(false);
        await().untilAsserted(
                        () -> { // health results are cached for a second
                            sampler.sample();
                            assertThat(samples.get(samples.size() - 1))
                                    .contains("\"ready\":false,\"health\":{\"database\":\"down\"}");
                        });

        assertThat(samples.get(0))
                .contains("\"pool\":{\"idle\":3,\"active\":2,\"waiting\":1}")
                .contains("\"ready\":true,\"health\":{\"database\":\"up\"}")
                .containsPattern("\"heap\":\\{\"used\":[1-9]");
    }

    @Test
    void samples_of_slightly_more_than_an_hour_are_kept() {
        StateSampler sampler = sampler(StateSampler.INTERVAL);
        for (int i = 0; i < StateSampler.MAX_SAMPLES + 30; i++) {
            sampler.sample();
        }
        String all = String.join(",", samples.subList(30, samples.size()));

        assertThat(StateSampler.INTERVAL.multipliedBy(StateSampler.MAX_SAMPLES))
                .isGreaterThanOrEqualTo(Duration.ofHours(1));
        assertThat(new String(sampler.history(), UTF_8)).isEqualTo("{\"intervalMs\":5000,\"samples\":[" + all + "]}");
    }

    @Test
    void samples_after_a_time_are_the_later_ones() {
        StateSampler sampler = observe.sampler(
                Clock.fixed(Instant.ofEpochMilli(7), ZoneOffset.UTC), StateSampler.INTERVAL, () -> "", samples::add);
        sampler.sample();
        assertThat(new String(sampler.history(6), UTF_8)).contains("\"samples\":[{\"t\":7,");
        assertThat(new String(sampler.history(7), UTF_8)).endsWith("\"samples\":[]}");
    }

    @Test
    void a_failed_sample_does_not_stop_the_sampler() {
        AtomicBoolean fail = new AtomicBoolean(true);
        StateSampler sampler = observe.sampler(Clock.systemUTC(), Duration.ofMillis(20), () -> "", sample -> {
            if (fail.getAndSet(false)) {
                throw new IllegalStateException("listener failed");
            }
            samples.add(sample);
        });
        sampler.run();
        sampler.run();

        assertThat(samples).hasSize(1);
    }

    private StateSampler sampler(Duration interval) {
        return observe.sampler(Clock.systemUTC(), interval, () -> "", samples::add);
    }
}
