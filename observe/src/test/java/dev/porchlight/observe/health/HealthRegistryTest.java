// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.porchlight.support.Patience;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthRegistryTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-15T12:00:00Z"), ZoneOffset.UTC);

    private final AtomicLong now = new AtomicLong(-5_000_000_000L);
    private final HealthRegistry health = new HealthRegistry(0, 1_000, now::get, CLOCK);

    @AfterEach
    void close() {
        health.close();
    }

    @Test
    void without_checks_both_probes_are_ok() {
        assertThat(health.live().ok()).isTrue();
        assertThat(health.ready().ok()).isTrue();
        assertThat(health.ready().checks()).isEmpty();
    }

    @Test
    void a_check_is_a_readiness_check_by_default() {
        health.register("database", CheckResult::up).register("loop", CheckResult::up, CheckOptions.liveness());
        assertThat(health.ready().checks()).extracting(CheckReport::name).containsExactly("database");
        assertThat(health.live().checks()).extracting(CheckReport::name).containsExactly("loop");
    }

    @Test
    void checks_run_in_parallel() {
        CyclicBarrier both = new CyclicBarrier(2);
        HealthCheck waitsForTheOther = () -> {
            both.await(Patience.SECONDS, TimeUnit.SECONDS);
            return CheckResult.up();
        };
        health.register("a", waitsForTheOther).register("b", waitsForTheOther);
        assertThat(health.ready().checks()).allMatch(CheckReport::up).hasSize(2);
    }

    @Test
    void a_check_that_throws_or_returns_null_is_down_and_affects_no_other() {
        health.register("throws", () -> {
                    throw new IllegalStateException("no route to host");
                })
                .register("null", () -> null)
                .register("overflows", HealthRegistryTest::overflow)
                .register("reports down", () -> CheckResult.down("disk full"))
                .register("fine", CheckResult::up);
        HealthReport report = health.ready();
        assertThat(report.ok()).isFalse();
        assertThat(report.checks()).extracting(CheckReport::up).containsExactly(false, false, false, false, true);
        assertThat(report.checks().get(0).details())
                .containsEntry("error", "java.lang.IllegalStateException: no route to host");
        assertThat(report.checks().get(1).details()).containsEntry("error", "the check returned nothing");
        assertThat(report.checks().get(3).details()).containsEntry("error", "disk full");
    }

    @Test
    void a_result_is_cached_for_its_time_to_live() {
        AtomicInteger runs = new AtomicInteger();
        health.register("counted", () -> CheckResult.up(Map.of("run", runs.incrementAndGet())));
        health.ready();
        now.addAndGet(999_999_999);
        assertThat(health.ready().checks().get(0).details()).containsEntry("run", 1);
        now.addAndGet(1);
        assertThat(health.ready().checks().get(0).details()).containsEntry("run", 2);
    }

    @Test
    void concurrent_probes_share_one_run() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        health.register("slow", () -> {
            runs.incrementAndGet();
            begun.countDown();
            release.await();
            return CheckResult.up();
        });
        List<HealthReport> reports = java.util.Collections.synchronizedList(new ArrayList<>());
        List<Thread> probes = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Thread probe = new Thread(() -> reports.add(health.ready()));
            probe.start();
            probes.add(probe);
        }
        begun.await();
        release.countDown();
        for (Thread probe : probes) {
            probe.join();
        }
        assertThat(reports).hasSize(8).allMatch(HealthReport::ok);
        assertThat(runs).hasValue(1);
    }

    @Test
    void every_run_and_every_change_is_reported_once() {
        List<String> heard = new ArrayList<>();
        health.listen(new HealthListener() {
            @Override
            public void checked(CheckReport report) {
                heard.add("checked " + report.status().word());
            }

            @Override
            public void changed(CheckReport report) {
                heard.add(report.name() + " is " + report.status().word());
            }
        });
        AtomicInteger runs = new AtomicInteger();
        health.register("db", () -> runs.incrementAndGet() == 2 ? CheckResult.down("gone") : CheckResult.up());
        for (int i = 0; i < 3; i++) {
            health.ready();
            health.ready();
            now.addAndGet(2_000_000_000L);
        }
        assertThat(heard).containsExactly("checked up", "checked down", "db is down", "checked up", "db is up");
    }

    @Test
    void a_throwing_listener_does_not_fail_the_probe() {
        health.listen(new HealthListener() {
            @Override
            public void checked(CheckReport report) {
                throw new IllegalStateException("listener");
            }
        });
        health.register("db", CheckResult::up);
        assertThat(health.ready().ok()).isTrue();
    }

    @Test
    void readiness_is_down_during_the_startup_delay_and_reports_the_rest() {
        try (HealthRegistry delayed = new HealthRegistry(1_500, 0, now::get, CLOCK)) {
            assertThat(delayed.live().ok()).isTrue();
            assertThat(delayed.ready().ok()).isFalse();
            assertThat(delayed.ready().remainingMs()).isEqualTo(1_500);
            now.addAndGet(1_499_000_001);
            assertThat(delayed.ready().remainingMs()).isEqualTo(1);
            now.addAndGet(999_999);
            assertThat(delayed.ready().remainingMs()).isZero();
            assertThat(delayed.ready().ok()).isTrue();
        }
    }

    @Test
    void draining_turns_readiness_down_and_keeps_liveness() {
        health.register("fine", CheckResult::up);
        health.drain();
        assertThat(health.ready().ok()).isFalse();
        assertThat(health.ready().draining()).isTrue();
        assertThat(health.live().ok()).isTrue();
    }

    @Test
    void names_are_unique_and_not_blank() {
        health.register("db", CheckResult::up);
        assertThatIllegalArgumentException().isThrownBy(() -> health.register("db", CheckResult::up));
        assertThatIllegalArgumentException().isThrownBy(() -> health.register(" ", CheckResult::up));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CheckOptions.liveness().withTimeoutMs(0));
    }

    @Test
    void after_close_probes_report_down() {
        health.register("db", CheckResult::up);
        health.close();
        assertThat(health.ready().ok()).isFalse();
    }

    @SuppressWarnings("InfiniteRecursion") // on purpose
    @Test
    void a_failed_optional_check_is_shown_and_readiness_stays_up() {
        health.register("database", CheckResult::up)
                .register("cache", () -> CheckResult.down("gone"), CheckOptions.optional());

        HealthReport report = health.ready();

        assertThat(report.ok()).isTrue();
        assertThat(report.degraded()).isTrue();
        assertThat(report.checks()).extracting(CheckReport::status).containsExactly(CheckStatus.UP, CheckStatus.DOWN);
        assertThat(new String(report.json(), StandardCharsets.UTF_8))
                .startsWith("{\"status\":\"ok\",\"degraded\":true,\"checks\":{");
        assertThat(health.live().checks()).isEmpty();
    }

    private static CheckResult overflow() {
        return overflow();
    }
}
