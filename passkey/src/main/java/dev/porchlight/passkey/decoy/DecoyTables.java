// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.decoy;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.store.PasskeyShapes;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The current decoy table. All instances share it through the database, and read it every second in the background, so that no
 * login waits, except the first one after a pause. A change is announced before it counts, for as long as an instance uses what
 * it read, so all instances show an unknown user the same passkeys, as far as their clocks agree. A registration samples the
 * stored passkeys again on its own thread, so that the library never uses the database after the application has stopped.
 * Thread-safe.
 */
public final class DecoyTables {
    public static final long READ_MILLIS = 1_000;
    public static final long ANNOUNCED_MILLIS = 3_000;
    static final long MIN_SAMPLE_AGE_MILLIS = 2_000;
    private static final long MAX_SAMPLE_AGE_MILLIS = 3_600_000;
    private static final int SAMPLE = 1_000;
    private static final int MOST_ADDED = DecoySlots.SIZE;
    private static final int CLOSE_SECONDS = 5;

    private final @Nullable PasskeyShapes shapes;
    private final Supplier<List<String>> startingIds;
    private final Clock clock;
    private final Executor background;
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile @Nullable Known known;
    private volatile long sampledAt;
    private volatile boolean sampled;
    /** The ids of new passkeys whose shapes the table may not have. */
    private final Set<String> added = ConcurrentHashMap.newKeySet();

    private volatile boolean changed;

    private record Known(DecoyChange change, long readAt) {
        DecoyTable at(long now) {
            return change.at(now);
        }

        boolean isOlderThan(long now, long millis) {
            return hasElapsed(now, readAt, millis);
        }
    }

    /**
     * @param shapes null if the store cannot report shapes
     * @param startingIds the ids at which samples of the passkeys begin, the same for all instances
     * @param background {@link #close} ends it if it is an {@link ExecutorService}
     */
    public DecoyTables(
            @Nullable PasskeyShapes shapes, Supplier<List<String>> startingIds, Clock clock, Executor background) {
        this.shapes = shapes;
        this.startingIds = startingIds;
        this.clock = clock;
        this.background = background;
    }

    /** A thread that exists while it has work, and runs nothing after its end. */
    public static Executor thread() {
        var thread = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                work -> {
                    Thread daemon = new Thread(work, "porchlight-decoys");
                    daemon.setDaemon(true);
                    return daemon;
                },
                new ThreadPoolExecutor.DiscardPolicy());
        thread.allowCoreThreadTimeOut(true);
        return thread;
    }

    /** Returns the current table. Only the first call, and one after a pause, reads the database. */
    DecoyTable current() {
        if (shapes == null) {
            return DecoyTable.COMMON;
        }
        long now = clock.millis();
        Known usable = known;
        if (usable == null || usable.isOlderThan(now, ANNOUNCED_MILLIS)) {
            usable = readAfterPause(shapes);
        }
        if (changed && hasElapsed(now, sampledAt, MIN_SAMPLE_AGE_MILLIS)) {
            runExclusively(background, this::resample);
        } else if (usable.isOlderThan(now, READ_MILLIS)) {
            runExclusively(background, () -> read(shapes));
        }
        return usable.at(now);
    }

    /** Reads the table, unless another thread just has. While the database is down, the last one stays. */
    private synchronized Known readAfterPause(PasskeyShapes source) {
        Known last = known;
        if (last != null && !last.isOlderThan(clock.millis(), ANNOUNCED_MILLIS)) {
            return last;
        }
        try {
            return read(source);
        } catch (StorageException e) {
            if (last == null) {
                throw e;
            }
            last = new Known(last.change(), clock.millis()); // no login waits for each attempt
            known = last;
            return last;
        }
    }

    /** Samples the passkeys again after a registration, whose shape may be new, and too rare for the sample. */
    void registered(String credentialId) {
        if (shapes == null) {
            return;
        }
        if (added.size() < MOST_ADDED) {
            added.add(credentialId);
        }
        changed = true;
        if (!sampled || hasElapsed(clock.millis(), sampledAt, MIN_SAMPLE_AGE_MILLIS)) {
            runExclusively(Runnable::run, this::resample);
        }
    }

    /** Ends the work in the background, and waits for a read in progress, which may be the last use of a database. */
    void close() {
        if (background instanceof ExecutorService threads) {
            threads.shutdown();
            try {
                var unused = threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Samples the stored passkeys if the last sample is an hour old, on the caller's thread. */
    void refresh() {
        if (shapes != null && (!sampled || hasElapsed(clock.millis(), sampledAt, MAX_SAMPLE_AGE_MILLIS))) {
            resample();
        }
    }

    private void resample() {
        PasskeyShapes source = shapes;
        if (source == null) {
            return;
        }
        long now = clock.millis();
        sampled = true;
        sampledAt = now;
        changed = false; // a registration from now on sets it again
        boolean updated = false;
        try {
            updated = update(source, now);
        } finally {
            if (!updated) {
                changed = true;
            }
        }
    }

    /** Saves the table that follows the stored passkeys, if it is another one; false if another change comes first. */
    private boolean update(PasskeyShapes source, long now) {
        String saved = source.saved();
        DecoyChange last = DecoyChange.parse(saved);
        if (last != null && now < last.from()) {
            return false; // one change at a time
        }
        List<String> imported = source.imported();
        List<String> ids = new ArrayList<>(added);
        ids.addAll(imported);
        List<PasskeyShapes.Shape> sample = sample(source, ids);
        DecoyTable before = last == null ? DecoyTable.COMMON : last.next();
        // The default kinds are not saved: the first passkey replaces them all.
        DecoyTable after = last == null ? DecoyTable.of(sample) : before.following(sample);
        boolean updated = after.equals(before)
                || source.save(saved, new DecoyChange(before, after, now + ANNOUNCED_MILLIS).text());
        if (updated) {
            ids.forEach(added::remove);
            if (!imported.isEmpty()) {
                source.adopted(imported);
            }
        }
        read(source);
        return updated;
    }

    /** Some of the stored passkeys, and those of the given ones that have another shape. */
    private List<PasskeyShapes.Shape> sample(PasskeyShapes source, List<String> ids) {
        List<PasskeyShapes.Shape> sample = new ArrayList<>(source.sample(startingIds.get(), SAMPLE));
        if (!ids.isEmpty()) {
            source.sample(ids, ids.size()).stream()
                    .filter(shape -> !sample.contains(shape))
                    .forEach(sample::add);
        }
        return sample;
    }

    /** Reads the saved table. As long as none is saved, all instances show the common kinds. */
    private Known read(PasskeyShapes source) {
        long now = clock.millis();
        DecoyChange saved = DecoyChange.parse(source.saved());
        if (saved == null) {
            changed |= known == null; // by an import, perhaps
            saved = new DecoyChange(DecoyTable.COMMON, DecoyTable.COMMON, 0);
        }
        Known read = new Known(saved, now);
        known = read;
        return read;
    }

    /** Runs one task at a time. After a database failure a later caller retries. */
    private void runExclusively(Executor executor, Runnable work) {
        if (busy.compareAndSet(false, true)) {
            try {
                executor.execute(() -> {
                    try {
                        work.run();
                    } catch (StorageException e) {
                        // The current table stays. The other users of the database report the failure.
                    } finally {
                        busy.set(false);
                    }
                });
            } catch (RuntimeException e) {
                busy.set(false);
                throw e;
            }
        }
    }

    /** Compares the distance, so that a clock set back does not delay the next run. */
    private static boolean hasElapsed(long now, long since, long millis) {
        return Math.abs(now - since) >= millis;
    }
}
