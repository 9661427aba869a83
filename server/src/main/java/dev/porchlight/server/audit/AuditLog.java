// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.server.auth.KeyedHash;
import dev.porchlight.server.limit.Patience;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Appends events to the audit table, those of concurrent requests in one commit. Thread-safe.
 *
 * <p>Each instance writes a chain of its own, so that instances never wait for each other. A chain begins with the hash
 * of the newest row it finds, which ties the chains together, and ends with a row that says so; its head
 * is kept beside it. When the table cannot be
 * written, events are dropped and counted rather than kept in memory without bound.
 */
public final class AuditLog implements AutoCloseable {
    static final String STARTED = "audit_started";
    static final String STOPPED = "audit_stopped";
    private static final int QUEUE = 8_192;
    private static final int BATCH = 512;
    private static final Duration WAIT = Duration.ofSeconds(2);

    private record Waiting(AuditEvent event, long at, CompletableFuture<Boolean> written) {}

    private final AuditStore store;
    private final InstantSource clock;
    private final KeyedHash hashing;
    private final BlockingQueue<Waiting> queue = new ArrayBlockingQueue<>(QUEUE);
    private final LongAdder written = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final Thread writer = new Thread(this::write, "porchlight-audit");
    private volatile boolean closing;
    /** Where the chain stands; only the writer's thread uses these. */
    private String chain = newChain();

    private long seq;
    private @Nullable String previousHash;

    public AuditLog(AuditStore store, byte[] key, InstantSource clock) {
        this.store = store;
        this.clock = clock;
        this.hashing = new KeyedHash(key);
        writer.setDaemon(true);
        writer.start();
    }

    /**
     * Appends an event and waits until its row is on the disk, so that what was answered is what can be looked up; but not for
     * long: a row that is late or lost is counted, and holds nobody up.
     *
     * @return whether the row is there
     */
    public boolean append(AuditEvent event) {
        Runnable waited = Patience.waiting();
        try {
            return queue(event).get(Math.min(WAIT.toMillis(), Patience.leftMillis()), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } finally {
            waited.run();
        }
    }

    private CompletableFuture<Boolean> queue(AuditEvent event) {
        var waiting = new Waiting(event, clock.millis(), new CompletableFuture<>());
        if (closing || !queue.offer(waiting)) {
            lose(List.of(waiting));
        }
        return waiting.written();
    }

    /** How many events reached the table. */
    public long written() {
        return written.sum();
    }

    /** How many did not, because the queue was full or the database refused. */
    public long lost() {
        return lost.sum();
    }

    /** Writes what is queued and the row that ends the chain. */
    @Override
    public void close() {
        closing = true;
        try {
            writer.join(Duration.ofSeconds(5).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write() {
        try {
            while (!closing || !queue.isEmpty()) {
                Waiting first = queue.poll(100, TimeUnit.MILLISECONDS);
                if (first != null) {
                    var batch = new ArrayList<Waiting>();
                    batch.add(first);
                    queue.drainTo(batch, BATCH - 1);
                    write(batch);
                }
            }
            if (seq > 0) {
                write(List.of(new Waiting(AuditEvent.of(STOPPED, "", ""), clock.millis(), new CompletableFuture<>())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(List<Waiting> batch) {
        try {
            var rows = new ArrayList<AuditRow>();
            String hash = previousHash;
            long next = seq;
            if (hash == null) {
                String newest = store.newestHash();
                var started = new AuditEvent(STARTED, "", "ok", newest == null ? "" : newest, "");
                AuditRow row = AuditRow.after("", chain, next++, clock.millis(), started, hashing);
                rows.add(row);
                hash = row.hash();
            }
            for (Waiting waiting : batch) {
                AuditRow row = AuditRow.after(hash, chain, next++, waiting.at(), waiting.event(), hashing);
                rows.add(row);
                hash = row.hash();
            }
            store.append(rows, hashing);
            previousHash = hash;
            seq = next;
            written.add(batch.size());
            batch.forEach(waiting -> waiting.written().complete(true));
        } catch (RuntimeException e) { // whatever it is, the next batch may fare better
            lose(batch);
            // Perhaps the rows are there and only the answer was lost. A new chain begins, and cannot collide with
            // them.
            chain = newChain();
            previousHash = null;
            seq = 0;
        }
    }

    private static String newChain() {
        return UUID.randomUUID().toString();
    }

    private void lose(List<Waiting> batch) {
        lost.add(batch.size());
        batch.forEach(waiting -> waiting.written().complete(false));
    }
}
