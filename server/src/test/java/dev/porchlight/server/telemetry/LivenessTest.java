// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.observe.health.CheckStatus;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.ReentrantLock;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated // a deadlock affects the whole process
class LivenessTest {
    @Test
    void a_deadlock_is_reported_until_it_is_resolved() throws Exception {
        ReentrantLock one = new ReentrantLock();
        ReentrantLock two = new ReentrantLock();
        CyclicBarrier both = new CyclicBarrier(2);
        Thread first = new Thread(() -> lock(one, both, two), "first");
        Thread second = new Thread(() -> lock(two, both, one), "second");
        Liveness liveness = new Liveness();
        assertThat(deadlocks(liveness).status()).isEqualTo(CheckStatus.UP);
        first.start();
        second.start();
        await().until(() -> deadlocks(liveness).status() == CheckStatus.DOWN);
        assertThat(liveness.deadlocks().details())
                .extractingByKey("error", InstanceOfAssertFactories.STRING)
                .startsWith("deadlocked threads: ")
                .contains("first", "second");
        first.interrupt();
        first.join();
        second.join();
        assertThat(deadlocks(liveness).status()).isEqualTo(CheckStatus.UP);
    }

    private static CheckResult deadlocks(Liveness liveness) {
        liveness.findDeadlocks();
        return liveness.deadlocks();
    }

    private static void lock(ReentrantLock mine, CyclicBarrier both, ReentrantLock others) {
        mine.lock();
        try {
            both.await();
            others.lockInterruptibly();
            others.unlock();
        } catch (Exception interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            mine.unlock();
        }
    }
}
