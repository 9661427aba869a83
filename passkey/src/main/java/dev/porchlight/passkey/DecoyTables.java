// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.store.PasskeyShapes;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The current decoy table. All instances share it through the database: it is read on first use and then every minute in the
 * background, so that no login waits. A registration samples the stored passkeys again on its own thread, so that the library
 * never uses the database after the application has stopped. Thread-safe.
 */
final class DecoyTables {
    static final long READ_MILLIS = 60_000;
    static final long MIN_SAMPLE_AGE_MILLIS = 2_000;
    private static final long MAX_SAMPLE_AGE_MILLIS = 3_600_000;
    private static final int SAMPLE = 1_000;

    private final @Nullable PasskeyShapes shapes;
    private final Lazy<List<String>> startingIds;
    private final Clock clock;
    private final Executor background;
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile @Nullable DecoyTable table;
    private volatile long readAt;
    private volatile long sampledAt;
    private volatile boolean sampled;
    private volatile boolean changed;

    /**
     * @param shapes null if the store cannot report shapes
     * @param startingIds the ids at which samples of the passkeys begin, the same for all instances
     */
    DecoyTables(@Nullable PasskeyShapes shapes, Lazy<List<String>> startingIds, Clock clock, Executor background) {
        this.shapes = shapes;
        this.startingIds = startingIds;
        this.clock = clock;
        this.background = background;
    }

    /** Returns the current table. Only the first call reads the database. */
    DecoyTable current() {
        DecoyTable known = table;
        if (shapes == null) {
            return DecoyTable.COMMON;
        }
        if (known == null) {
            known = read(shapes);
            return known;
        }
        long now = clock.millis();
        if (changed && hasElapsed(now, sampledAt, MIN_SAMPLE_AGE_MILLIS)) {
            runExclusively(background, this::resample);
        } else if (hasElapsed(now, readAt, READ_MILLIS)) {
            runExclusively(background, () -> read(shapes));
        }
        return known;
    }

    /** Samples the passkeys again after a registration, whose shape may be new. */
    void registered() {
        if (shapes == null) {
            return;
        }
        changed = true;
        if (!sampled || hasElapsed(clock.millis(), sampledAt, MIN_SAMPLE_AGE_MILLIS)) {
            runExclusively(Runnable::run, this::resample);
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
        sampled = true;
        sampledAt = clock.millis();
        changed = false;
        String saved = source.saved();
        DecoyTable before = DecoyTable.parse(saved);
        List<PasskeyShapes.Shape> sample = sample(source);
        DecoyTable after = before == null ? DecoyTable.of(sample) : before.following(sample);
        // The default kinds are not saved: the first passkey replaces them all.
        if (after.equals(before) || after.equals(DecoyTable.COMMON) || source.save(saved, after.text())) {
            table = after;
            readAt = clock.millis();
        } else {
            read(source); // another instance was faster
        }
    }

    /** Reads the saved table, or computes it if none is saved. Every instance gets the same one. */
    private DecoyTable read(PasskeyShapes source) {
        readAt = clock.millis();
        DecoyTable saved = DecoyTable.parse(source.saved());
        DecoyTable found = saved == null ? DecoyTable.of(sample(source)) : saved;
        table = found;
        return found;
    }

    private List<PasskeyShapes.Shape> sample(PasskeyShapes source) {
        return source.sample(startingIds.get(), SAMPLE);
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
