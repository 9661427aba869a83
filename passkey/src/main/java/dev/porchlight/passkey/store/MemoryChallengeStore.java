// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Challenges in this process's memory, for one instance and for tests. Safe for use by many threads.
 *
 * <p>Several may be outstanding per user, so that asking for options in somebody's name does not replace the challenge
 * he is about to answer. {@link #PER_USER} of them, then the oldest goes: at the service's default of 120 requests a
 * minute and address, it takes one stranger more than two minutes to push a login out, and a login takes seconds.
 * {@link #TOTAL} bounds the memory (some 30 MB when full); expired ones are dropped before it is reached.
 */
public final class MemoryChallengeStore implements ChallengeStore {
    /** How many challenges may be outstanding for one user. */
    public static final int PER_USER = 256;

    /** How many challenges may be outstanding in all. */
    public static final int TOTAL = 100_000;

    /** An expired challenge stays this long, so that a late answer is told "expired" and not "unknown". */
    static final long GRACE_MILLIS = 60_000;

    private record Entry(String userId, String challenge) {}

    private final Clock clock;
    private final int total;
    /** Oldest first. Guarded by this, as is {@link #byUser}, which holds the same entries. */
    private final LinkedHashMap<Entry, Long> expiries = new LinkedHashMap<>();

    private final Map<String, Deque<Entry>> byUser = new HashMap<>();

    /** A store that sweeps by the system's clock. */
    public MemoryChallengeStore() {
        this(Clock.systemUTC());
    }

    /** A store that sweeps by this clock. */
    public MemoryChallengeStore(Clock clock) {
        this(clock, TOTAL);
    }

    MemoryChallengeStore(Clock clock, int total) {
        this.clock = clock;
        this.total = total;
    }

    @Override
    public synchronized @Nullable StoredChallenge getChallenge(String userId) {
        Deque<Entry> outstanding = byUser.get(userId);
        return outstanding == null ? null : stored(outstanding.getLast());
    }

    @Override
    public synchronized void setChallenge(String userId, String challenge, long expiresAt) {
        Entry entry = new Entry(userId, challenge);
        forget(entry);
        expiries.put(entry, expiresAt);
        Deque<Entry> outstanding = byUser.computeIfAbsent(userId, key -> new ArrayDeque<>(2));
        outstanding.addLast(entry);
        if (outstanding.size() > PER_USER) {
            forget(outstanding.getFirst());
        }
        sweep();
    }

    @Override
    public synchronized void clearChallenge(String userId) {
        Deque<Entry> outstanding = byUser.remove(userId);
        if (outstanding != null) {
            outstanding.forEach(expiries::remove);
        }
    }

    @Override
    public synchronized @Nullable StoredChallenge takeChallenge(String userId, String challenge) {
        Long expiresAt = forget(new Entry(userId, challenge));
        return expiresAt == null ? null : new StoredChallenge(challenge, expiresAt);
    }

    synchronized int size() {
        return expiries.size();
    }

    private @Nullable StoredChallenge stored(Entry entry) {
        Long expiresAt = expiries.get(entry);
        return expiresAt == null ? null : new StoredChallenge(entry.challenge(), expiresAt);
    }

    private @Nullable Long forget(Entry entry) {
        Long expiresAt = expiries.remove(entry);
        Deque<Entry> outstanding = byUser.get(entry.userId());
        if (expiresAt != null && outstanding != null) {
            outstanding.remove(entry);
            if (outstanding.isEmpty()) {
                byUser.remove(entry.userId());
            }
        }
        return expiresAt;
    }

    /** Drops from the old end what is expired or too much; amortised constant, since each entry is dropped once. */
    private void sweep() {
        long expiredBefore = clock.millis() - GRACE_MILLIS;
        while (!expiries.isEmpty()) {
            Iterator<Map.Entry<Entry, Long>> oldestFirst = expiries.entrySet().iterator();
            Map.Entry<Entry, Long> oldest = oldestFirst.next();
            if (expiries.size() <= total && oldest.getValue() >= expiredBefore) {
                return;
            }
            forget(oldest.getKey());
        }
    }
}
