// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HungCheckTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-15T12:00:00Z"), ZoneOffset.UTC);
    private static final CheckOptions QUICKLY = CheckOptions.readiness().withTimeoutMs(300);

    private final HealthRegistry health = new HealthRegistry(0, 0, System::nanoTime, CLOCK);
    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void close() {
        release.countDown();
        health.close();
    }

    @Test
    void a_hung_check_is_interrupted_at_its_deadline_and_down() {
        AtomicBoolean interrupted = new AtomicBoolean();
        health.register(
                "hung",
                () -> {
                    try {
                        release.await();
                    } catch (InterruptedException e) {
                        interrupted.set(true);
                        throw e;
                    }
                    return CheckResult.up();
                },
                QUICKLY);
        health.register("fine", CheckResult::up);
        HealthReport report = health.ready();
        assertThat(report.checks()).extracting(CheckReport::up).containsExactly(false, true);
        assertThat(report.checks().get(0).details()).containsEntry("error", "no response within 300 ms");
        assertThat(report.checks().get(0).durationNanos()).isGreaterThanOrEqualTo(300_000_000);
        await().untilTrue(interrupted);
    }

    @Test
    void a_probe_that_is_interrupted_changes_nothing() {
        List<CheckReport> changes = new ArrayList<>();
        health.listen(new HealthListener() {
            @Override
            public void changed(CheckReport report) {
                changes.add(report);
            }
        });
        health.register("waiting", () -> {
            release.await();
            return CheckResult.up();
        });

        Thread.currentThread().interrupt();
        HealthReport report = health.ready();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(error(report)).isEqualTo("the probe was interrupted");
        assertThat(changes).isEmpty();
    }

    @Test
    void a_hung_check_is_not_started_again_until_it_has_returned() {
        AtomicInteger runs = new AtomicInteger();
        health.register("stubborn", () -> hangOnce(runs), QUICKLY);
        assertThat(error(health.ready())).isEqualTo("no response within 300 ms");
        for (int i = 0; i < 20; i++) {
            assertThat(error(health.ready())).isEqualTo("stuck since 2026-11-15T12:00:00Z");
        }
        assertThat(runs).hasValue(1);
        release.countDown();
        await().until(() -> health.ready().ok());
        assertThat(runs).hasValueGreaterThanOrEqualTo(2);
    }

    @Test
    void a_hung_check_occupies_only_one_thread() {
        AtomicInteger inside = new AtomicInteger();
        for (int i = 0; i < 5; i++) {
            health.register("stubborn " + i, () -> hangOnce(inside), QUICKLY);
        }
        for (int i = 0; i < 10; i++) {
            health.ready();
        }
        assertThat(inside).hasValue(5);
    }

    @Test
    void a_result_after_the_deadline_is_down() throws Exception {
        List<CheckStatus> statuses = new ArrayList<>();
        HealthRegistry patient = new HealthRegistry(0, 60_000, System::nanoTime, CLOCK);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        patient.register(
                "late",
                () -> {
                    started.countDown();
                    awaitUninterruptibly(release);
                    done.countDown();
                    return CheckResult.up();
                },
                QUICKLY);
        // A busy machine may not start the check before its deadline.
        while (started.getCount() > 0) {
            statuses.add(patient.ready().checks().get(0).status());
        }
        release.countDown();
        done.await();
        await().until(() -> !error(patient.ready()).startsWith("stuck"));
        statuses.add(patient.ready().checks().get(0).status());
        assertThat(statuses).hasSizeGreaterThan(1).containsOnly(CheckStatus.DOWN);
        patient.close();
    }

    @Test
    void the_interrupt_never_reaches_the_next_check_on_the_same_thread() {
        AtomicBoolean leaked = new AtomicBoolean();
        health.register(
                "sleeper",
                () -> {
                    release.await();
                    return CheckResult.up();
                },
                CheckOptions.readiness().withTimeoutMs(1));
        health.register("next", () -> {
            if (Thread.currentThread().isInterrupted()) {
                leaked.set(true);
            }
            return CheckResult.up();
        });
        for (int i = 0; i < 200; i++) {
            health.ready();
        }
        assertThat(leaked).isFalse();
    }

    private static String error(HealthReport report) {
        return String.valueOf(report.checks().get(0).details().get("error"));
    }

    private CheckResult hangOnce(AtomicInteger runs) {
        runs.incrementAndGet();
        awaitUninterruptibly(release);
        return CheckResult.up();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException e) {
                // ignores interrupts, as a read from a dead socket does
            }
        }
    }
}
