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
 * The table of decoys that is in force. All instances share it through the database: it is read once when it is first
 * needed, and then again every minute in the background, so that no login waits. A registration looks at the stored passkeys
 * again, on its own thread: an application that has stopped must not find the library at work in its database.
 * Thread-safe.
 */
final class DecoyTables {
    static final long READ_MILLIS = 60_000;
    static final long LOOK_MILLIS = 2_000;
    private static final long LOOK_ANYWAY_MILLIS = 3_600_000;
    private static final int SAMPLE = 1_000;

    private final @Nullable PasskeyShapes shapes;
    private final Lazy<List<String>> startingIds;
    private final Clock clock;
    private final Executor background;
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile @Nullable DecoyTable table;
    private volatile long readAt;
    private volatile long lookedAt;
    private volatile boolean looked;
    private volatile boolean changed;

    /**
     * @param shapes null if the passkeys are in a store whose shapes cannot be read
     * @param startingIds where samples of the passkeys begin, the same for all instances
     */
    DecoyTables(@Nullable PasskeyShapes shapes, Lazy<List<String>> startingIds, Clock clock, Executor background) {
        this.shapes = shapes;
        this.startingIds = startingIds;
        this.clock = clock;
        this.background = background;
    }

    /** The table in force. Only the first call reads the database. */
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
        if (changed && isOver(now, lookedAt, LOOK_MILLIS)) {
            alone(background, this::look);
        } else if (isOver(now, readAt, READ_MILLIS)) {
            alone(background, () -> read(shapes));
        }
        return known;
    }

    /** A passkey was registered: its shape may be new. */
    void registered() {
        if (shapes == null) {
            return;
        }
        changed = true;
        if (!looked || isOver(clock.millis(), lookedAt, LOOK_MILLIS)) {
            alone(Runnable::run, this::look);
        }
    }

    /** Looks at the stored passkeys if the last time was an hour ago, on the caller's thread. */
    void refresh() {
        if (shapes != null && (!looked || isOver(clock.millis(), lookedAt, LOOK_ANYWAY_MILLIS))) {
            look();
        }
    }

    private void look() {
        PasskeyShapes source = shapes;
        if (source == null) {
            return;
        }
        looked = true;
        lookedAt = clock.millis();
        changed = false;
        String saved = source.saved();
        DecoyTable before = DecoyTable.parse(saved);
        List<PasskeyShapes.Shape> sample = sample(source);
        DecoyTable after = before == null ? DecoyTable.of(sample) : before.following(sample);
        // The common kinds are not saved: they give way to the first passkey as a whole.
        if (after.equals(before) || after.equals(DecoyTable.COMMON) || source.save(saved, after.text())) {
            table = after;
            readAt = clock.millis();
        } else {
            read(source); // another instance was faster
        }
    }

    /** What is saved; where nothing is, what would be: every instance finds the same. */
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

    /** One at a time. A database that fails is asked again by a later caller. */
    private void alone(Executor executor, Runnable work) {
        if (busy.compareAndSet(false, true)) {
            try {
                executor.execute(() -> {
                    try {
                        work.run();
                    } catch (StorageException e) {
                        // The table in force stays. Whoever uses the database meets the failure too, and reports it.
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

    /** The distance, not the order: a clock set back must not put it off. */
    private static boolean isOver(long now, long since, long millis) {
        return Math.abs(now - since) >= millis;
    }
}
