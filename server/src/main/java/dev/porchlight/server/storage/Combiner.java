// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.store.SqlCredentialStore;
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
 * Combines concurrent reads into shared queries: a few callers run queries for all that wait, so waiting callers need no
 * connection. Without concurrency each caller runs its own query at once. Thread-safe.
 *
 * @param <K> the key of a read
 * @param <V> the value found
 */
final class Combiner<K, V> {
    /** The number of concurrent queries. With one, the database would idle while its result is read. */
    private static final int AT_ONCE = 2;

    private static final int BATCH = 64;

    /** A caller with less time left than this queries alone, so that the shared query does not time out for others. */
    private static final long SHORT_MILLIS = 1_000;

    /** The limit for callers outside a request, which have no deadline. */
    private static final long LONGEST_MILLIS = 60_000;

    private final Sql.StatementListener listener;
    private final Function<Collection<K>, Map<K, V>> read;
    private final Deque<Waiting<K, V>> queue = new ArrayDeque<>();
    private int running;

    /** A waiting caller, which may be selected to run the next query. */
    private static final class Waiting<K, V> {
        private final K key;
        private final Thread thread = Thread.currentThread();
        private @Nullable V value;
        private @Nullable RuntimeException failure;
        private volatile boolean selected;
        private volatile boolean done;

        Waiting(K key) {
            this.key = key;
        }

        void wake() {
            LockSupport.unpark(thread);
        }
    }

    /** Creates a combiner; the listener is notified of each read, but not of the shared queries. */
    Combiner(Sql.StatementListener listener, Function<Collection<K>, Map<K, V>> read) {
        this.listener = listener;
        this.read = read;
    }

    @Nullable
    V get(K key) {
        var mine = new Waiting<K, V>(key);
        Runnable ended = listener.begin("SELECT " + SqlCredentialStore.TABLE);
        try {
            if (enter(mine)) {
                query(mine);
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

    /** Returns whether the caller runs a query itself instead of waiting. */
    private synchronized boolean enter(Waiting<K, V> mine) {
        queue.add(mine);
        if (running == AT_ONCE) {
            return false;
        }
        running++;
        return true;
    }

    private void await(Waiting<K, V> mine) {
        long millis = Math.min(RequestDeadline.leftMillis(), LONGEST_MILLIS);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!mine.done && !mine.selected) {
            long left = deadline - System.nanoTime();
            if (left <= 0 && leave(mine)) {
                throw new StorageException(RequestDeadline.EXCEEDED);
            }
            LockSupport.parkNanos(this, Math.max(left, 1_000));
        }
        if (!mine.done) {
            query(mine);
        }
    }

    /** Removes a caller that timed out. Returns false if it was selected, or is part of a running query. */
    private synchronized boolean leave(Waiting<K, V> mine) {
        return queue.remove(mine);
    }

    /** Runs a query for all waiting callers, then selects a later caller for the next query. */
    private void query(Waiting<K, V> mine) {
        List<Waiting<K, V>> batch = nextBatch(mine);
        try {
            Set<K> keys = new HashSet<>();
            batch.forEach(waiting -> keys.add(waiting.key));
            Map<K, V> found = read.apply(keys);
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
            selectNext();
        }
    }

    private synchronized List<Waiting<K, V>> nextBatch(Waiting<K, V> mine) {
        queue.remove(mine);
        List<Waiting<K, V>> batch = new ArrayList<>();
        batch.add(mine);
        int max = RequestDeadline.leftMillis() < SHORT_MILLIS ? 1 : BATCH;
        while (batch.size() < max && !queue.isEmpty()) {
            batch.add(queue.remove());
        }
        return batch;
    }

    private synchronized void selectNext() {
        Waiting<K, V> next = queue.poll();
        if (next == null) {
            running--;
        } else {
            next.selected = true;
            next.wake();
        }
    }
}
