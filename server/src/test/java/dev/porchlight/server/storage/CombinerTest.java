// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.sql.StorageException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class CombinerTest {
    private static final Function<Collection<String>, Map<String, String>> ECHO =
            keys -> keys.stream().collect(Collectors.toMap(key -> key, key -> "value of " + key));

    private final CountDownLatch goOn = new CountDownLatch(1);
    private final List<Object> results = new CopyOnWriteArrayList<>();
    private final AtomicInteger queries = new AtomicInteger();

    @Test
    void reads_that_wait_share_queries_and_each_gets_its_own_value() throws Exception {
        readTenTimes(ECHO);

        assertThat(results)
                .containsExactlyInAnyOrderElementsOf(ECHO.apply(keys()).values().stream()
                        .map(Object.class::cast)
                        .toList());
        assertThat(queries.get()).isLessThan(10);
    }

    @Test
    void a_failed_query_fails_every_waiting_read() throws Exception {
        readTenTimes(keys -> {
            throw new LinkageError("broken");
        });

        assertThat(results).hasSize(10).allMatch(it -> it instanceof LinkageError || it instanceof StorageException);
    }

    private static List<String> keys() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            keys.add("key " + i);
        }
        return keys;
    }

    /** Runs ten reads at once: two run queries, which wait until the others are queued. */
    private void readTenTimes(Function<Collection<String>, Map<String, String>> query) throws Exception {
        Combiner<String, String> combiner = new Combiner<>(statement -> () -> {}, keys -> {
            queries.incrementAndGet();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return query.apply(keys);
        });
        List<Thread> threads = new ArrayList<>();
        for (String key : keys()) {
            Thread thread = new Thread(() -> {
                try {
                    results.add(String.valueOf(combiner.get(key)));
                } catch (RuntimeException | Error e) {
                    results.add(e);
                }
            });
            thread.start();
            threads.add(thread);
        }
        Awaitility.await().until(() -> threads.stream().allMatch(CombinerTest::waits));
        goOn.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static boolean waits(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }
}
