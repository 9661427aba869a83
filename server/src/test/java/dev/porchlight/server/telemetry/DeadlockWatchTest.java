// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.observe.health.CheckStatus;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated // a deadlock is one of the whole process
class DeadlockWatchTest {
    @Test
    void threads_that_wait_for_each_other_are_found_and_forgotten_when_they_are_gone() throws Exception {
        ReentrantLock one = new ReentrantLock();
        ReentrantLock two = new ReentrantLock();
        CyclicBarrier both = new CyclicBarrier(2);
        Thread first = new Thread(() -> lock(one, both, two), "first");
        Thread second = new Thread(() -> lock(two, both, one), "second");
        DeadlockWatch watch = new DeadlockWatch();
        watch.check();
        assertThat(Liveness.deadlocks(watch.deadlocked()).status()).isEqualTo(CheckStatus.UP);
        first.start();
        second.start();
        await().until(() -> checked(watch).size() == 2);
        assertThat(watch.deadlocked()).containsExactlyInAnyOrder("first", "second");
        assertThat(Liveness.deadlocks(watch.deadlocked()).status()).isEqualTo(CheckStatus.DOWN);
        first.interrupt();
        first.join();
        second.join();
        assertThat(checked(watch)).isEmpty();
    }

    private static List<String> checked(DeadlockWatch watch) {
        watch.check();
        return watch.deadlocked();
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
