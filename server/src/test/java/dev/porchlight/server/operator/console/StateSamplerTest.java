// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.ObservabilitySettings;
import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.metrics.PoolState;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StateSamplerTest {
    private final Observability observe = Observability.open(
            ObservabilitySettings.fromEnvironment("test", Map.of()), LogWriter.to(OutputStream.nullOutputStream()));
    private final List<String> samples = new CopyOnWriteArrayList<>();
    private final Supplier<PoolState> pool = () -> new PoolState(3, 2, 1);

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

        assertThat(sample(0).object("requests").toString()).isEqualTo("{\"2xx\":2,\"4xx\":1}");
        assertThat(sample(1).object("requests").toString()).isEqualTo("{\"5xx\":1}");
        assertThat(sample(2).object("requests").toString()).isEqualTo("{}");
    }

    @Test
    void ceremonies_and_browsers_are_counted_by_outcome_and_reason() {
        var ceremonies = observe.metrics()
                .counter("passkey_ceremonies_total")
                .help("Ceremonies.")
                .labels("ceremony", "outcome", "reason")
                .register();
        var browsers = observe.metrics()
                .counter("passkey_browser_outcomes_total")
                .help("Reports.")
                .labels("ceremony", "outcome")
                .register();
        ceremonies.with("login", "ok", "").inc(3);
        ceremonies.with("login", "refused", "bad_signature").inc();
        browsers.with("login", "dismissed").inc(2);
        sampler(Duration.ofHours(1)).sample();

        assertThat(samples.get(0))
                .contains("{\"operation\":\"login\",\"outcome\":\"ok\",\"count\":3}")
                .contains("{\"operation\":\"login\",\"outcome\":\"refused\",\"reason\":\"bad_signature\",\"count\":1}")
                .contains("\"browser\":[{\"ceremony\":\"login\",\"outcome\":\"dismissed\",\"count\":2}]");
    }

    @Test
    void routes_are_the_sixteen_busiest_in_order() {
        for (int route = 0; route < 40; route++) {
            for (int i = 0; i <= route; i++) {
                observe.profiler().record("GET /" + route, 10);
            }
        }
        sampler(Duration.ofHours(1)).sample();

        var routes = sample(0).objects("routes");
        assertThat(routes).hasSize(16);
        assertThat(routes.get(0).string("route")).isEqualTo("GET /39");
        assertThat(routes.get(0).integer("count")).isEqualTo(40);
        assertThat(samples.get(0)).containsPattern("\"p99\":(9\\.9|10\\.0)");
    }

    @Test
    void pool_heap_and_health_are_current_values() {
        AtomicBoolean up = new AtomicBoolean(true);
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
                .contains("\"ready\":true,\"health\":{\"database\":\"up\"}");
        assertThat(sample(0).object("heap").integer("used")).isPositive();
    }

    @Test
    void samples_of_slightly_more_than_an_hour_are_kept() {
        StateSampler sampler = sampler(StateSampler.INTERVAL);
        for (int i = 0; i < StateSampler.MAX_SAMPLES + 30; i++) {
            sampler.sample();
        }
        JsonObject json = JsonObject.parse(new String(sampler.history(), StandardCharsets.UTF_8));

        assertThat(StateSampler.INTERVAL.multipliedBy(StateSampler.MAX_SAMPLES))
                .isGreaterThanOrEqualTo(Duration.ofHours(1));
        assertThat(json.objects("samples")).hasSize(StateSampler.MAX_SAMPLES);
        assertThat(json.integer("intervalMs")).isEqualTo(5_000);
        assertThat(json.objects("samples").get(StateSampler.MAX_SAMPLES - 1).toString())
                .isEqualTo(samples.get(samples.size() - 1));
    }

    @Test
    void a_failed_sample_does_not_stop_the_sampler() {
        AtomicBoolean fail = new AtomicBoolean(true);
        StateSampler sampler =
                new StateSampler(observe, pool, () -> 0, Clock.systemUTC(), Duration.ofMillis(20), sample -> {
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
        return new StateSampler(observe, pool, () -> 0, Clock.systemUTC(), interval, samples::add);
    }

    private JsonObject sample(int index) {
        return JsonObject.parse(samples.get(index));
    }
}
