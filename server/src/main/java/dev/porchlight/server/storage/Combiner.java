// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.limit.RequestDeadline;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets reads that come at the same time share a query: a few threads ask, each for all who wait by then, and nobody has a
 * thread or a connection of its own. Where there is no crowd, everybody asks for themselves at once. Thread-safe.
 *
 * @param <K> what is asked for
 * @param <V> what is found
 */
final class Combiner<K, V> {
    /** How many queries run at once. One would leave the database idle while its answer is read. */
    private static final int AT_ONCE = 2;

    private static final int BATCH = 64;

    /** A caller with less time left than this asks for itself alone: the query must not fail for others who have more. */
    private static final long SHORT_MILLIS = 1_000;

    private final Sql.StatementListener watcher;
    private final Function<Collection<K>, Map<K, V>> query;
    private final Deque<Waiting<K, V>> queue = new ArrayDeque<>();
    private int asking;

    /** Who waits for an answer, and may be told to ask. */
    private static final class Waiting<K, V> {
        private final K key;
        private final Thread thread = Thread.currentThread();
        private @Nullable V value;
        private @Nullable RuntimeException failure;
        private volatile boolean told;
        private volatile boolean done;

        Waiting(K key) {
            this.key = key;
        }

        void wake() {
            LockSupport.unpark(thread);
        }
    }

    /** Combines reads of passkeys; the watcher is notified of each, and not of the queries they share. */
    Combiner(Sql.StatementListener watcher, Function<Collection<K>, Map<K, V>> query) {
        this.watcher = watcher;
        this.query = query;
    }

    /** What there is for this key, or null. */
    @Nullable
    V get(K key) {
        var mine = new Waiting<K, V>(key);
        Runnable ended = watcher.begin("SELECT passkey_credential");
        try {
            if (enter(mine)) {
                ask(mine);
            } else {
                await(mine);
            }
        } finally {
            ended.run();
        }
        if (mine.failure != null) {
            throw mine.failure;
        }
        return mine.value;
    }

    /** Whether the caller is to ask, and not to wait. */
    private synchronized boolean enter(Waiting<K, V> mine) {
        queue.add(mine);
        if (asking == AT_ONCE) {
            return false;
        }
        asking++;
        return true;
    }

    private void await(Waiting<K, V> mine) {
        long deadline =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.min(RequestDeadline.leftMillis(), 10_000));
        while (!mine.done && !mine.told) {
            long left = deadline - System.nanoTime();
            if (left <= 0 && leave(mine)) {
                throw new StorageException("the request has waited long enough");
            }
            LockSupport.parkNanos(this, Math.max(left, 1_000));
        }
        if (!mine.done) {
            ask(mine);
        }
    }

    /** Whether somebody who waited in vain is out of it: not if told to ask or about to be answered. */
    private synchronized boolean leave(Waiting<K, V> mine) {
        return queue.remove(mine);
    }

    /** Asks for all who wait, and leaves the next query to one who comes after them. */
    private void ask(Waiting<K, V> mine) {
        List<Waiting<K, V>> batch = take(mine);
        try {
            Set<K> keys = new HashSet<>();
            batch.forEach(waiting -> keys.add(waiting.key));
            Map<K, V> found = query.apply(keys);
            batch.forEach(waiting -> waiting.value = found.get(waiting.key));
        } catch (RuntimeException e) {
            batch.forEach(waiting -> waiting.failure = e);
        } catch (Error e) {
            batch.forEach(waiting -> waiting.failure = new StorageException("the query failed", e));
            throw e;
        } finally {
            for (Waiting<K, V> waiting : batch) {
                waiting.done = true;
                if (waiting != mine) {
                    waiting.wake();
                }
            }
            handOver();
        }
    }

    private synchronized List<Waiting<K, V>> take(Waiting<K, V> mine) {
        queue.remove(mine);
        List<Waiting<K, V>> batch = new ArrayList<>();
        batch.add(mine);
        int most = RequestDeadline.leftMillis() < SHORT_MILLIS ? 1 : BATCH;
        while (batch.size() < most && !queue.isEmpty()) {
            batch.add(queue.remove());
        }
        return batch;
    }

    private synchronized void handOver() {
        Waiting<K, V> next = queue.poll();
        if (next == null) {
            asking--;
        } else {
            next.told = true;
            next.wake();
        }
    }
}
