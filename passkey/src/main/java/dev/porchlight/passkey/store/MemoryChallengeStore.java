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
 * Challenges in memory, for a single instance and for tests. Thread-safe.
 *
 * <p>A user may have several outstanding challenges, so that options requested by someone else for this user do not
 * replace the challenge of a login in progress. Beyond {@link #PER_USER} the oldest is removed: at the service's
 * default of 120 requests per minute and address, an attacker needs more than two minutes to displace a login, which takes
 * seconds. {@link #TOTAL} bounds the memory (some 30 MB when full); expired challenges are removed before it is reached.
 */
public final class MemoryChallengeStore implements ChallengeStore {
    /** The maximum number of outstanding challenges per user. */
    public static final int PER_USER = 256;

    /** The maximum number of outstanding challenges in total. */
    public static final int TOTAL = 100_000;

    /** An expired challenge is kept this long, so that a late response is refused as expired and not as unknown. */
    static final long GRACE_MILLIS = 60_000;

    private record Entry(String userId, String challenge) {}

    private final Clock clock;
    private final int total;
    /** Oldest first. Guarded by this, as is {@link #byUser}, which holds the same entries. */
    private final LinkedHashMap<Entry, Long> expiries = new LinkedHashMap<>();

    private final Map<String, Deque<Entry>> byUser = new HashMap<>();

    /** Creates a store with the system clock. */
    public MemoryChallengeStore() {
        this(Clock.systemUTC());
    }

    /** Creates a store with this clock, which decides when expired challenges are removed. */
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

    /** Removes the oldest entries that are expired or exceed the limit. Amortized constant time. */
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
