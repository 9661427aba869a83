// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class PeriodicTaskTest {
    private final List<String> runs = new CopyOnWriteArrayList<>();

    @Test
    void a_task_keeps_running_after_a_failed_run() {
        Runnable task = () -> {
            runs.add(Thread.currentThread().getName());
            if (runs.size() == 1) {
                Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> runs.add(e.getMessage()));
                throw new IllegalStateException("a run's fault");
            }
        };
        try (PeriodicTask periodic = new PeriodicTask("a thread", Duration.ofMillis(1), task)) {
            periodic.start();
            await().until(() -> runs.size() >= 4);
        }

        assertThat(runs).startsWith("a thread", "a run's fault", "a thread", "a thread");
    }

    @Test
    void the_first_task_runs_once_at_the_start() {
        try (PeriodicTask periodic =
                new PeriodicTask("a thread", Duration.ofHours(1), () -> runs.add("first"), () -> runs.add("later"))) {
            periodic.start();
            await().until(() -> !runs.isEmpty());
        }

        assertThat(runs).containsExactly("first");
    }
}
