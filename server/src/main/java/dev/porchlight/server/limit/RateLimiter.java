// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * A rate limit for this process, in fixed memory. Thread-safe.
 *
 * <p>It stores only the time at which a key's budget will be full again (the generic cell rate algorithm). Keys are stored in
 * sets of eight slots. When a set is full, the key that has spent least is dropped, so a flood of addresses uses no memory
 * and resets only small debts. Slots are selected by a hash with a random seed, so no client can choose keys that collide.
 */
public final class RateLimiter implements RateLimit {
    private static final int WAYS = 8;
    private static final int SETS = 8_192;
    private static final int LOCKS = 64;

    /** The time in which a quarter refills. */
    private final long quarterNanos;
    /** The time in which an empty budget refills. */
    private final long fillNanos;

    private final LongSupplier nanoTime;
    private final long origin;
    private final long seed = ThreadLocalRandom.current().nextLong();
    /** The hash of the key in each slot; 0 for an empty slot. */
    private final long[] hashes = new long[SETS * WAYS];
    /** The time since the origin at which the budget in each slot is full. */
    private final long[] fullAt = new long[SETS * WAYS];

    private final Object[] locks = new Object[LOCKS];

    /** Creates a limit of units per minute, by a monotonic clock. */
    public RateLimiter(int perMinute, LongSupplier nanoTime) {
        if (perMinute < 1) {
            throw new IllegalArgumentException("the limit must be at least 1 per minute: " + perMinute);
        }
        long quarters = (long) perMinute * WHOLE;
        this.quarterNanos = Duration.ofMinutes(1).toNanos() / quarters;
        this.fillNanos = quarterNanos * quarters;
        this.nanoTime = nanoTime;
        this.origin = nanoTime.getAsLong();
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new Object();
        }
    }

    @Override
    public Duration spend(String key, int cost, int needed) {
        long hash = hash(key);
        int set = (int) (hash & SETS - 1);
        synchronized (locks[set % LOCKS]) {
            long now = nanoTime.getAsLong() - origin;
            int slot = slotOf(hash, set * WAYS);
            long full = Math.max(fullAt[slot], now);
            long wait = needed == ANYTHING ? 0 : full + needed * quarterNanos - fillNanos - now;
            if (wait > 0) {
                return Duration.ofNanos(wait);
            }
            fullAt[slot] = Math.min(full + cost * quarterNanos, now + 2 * fillNanos);
            return Duration.ZERO;
        }
    }

    /** Returns the slot of this key, or of the key that has spent least. */
    private int slotOf(long hash, int first) {
        int least = first;
        for (int slot = first; slot < first + WAYS; slot++) {
            if (hashes[slot] == hash) {
                return slot;
            }
            if (fullAt[slot] < fullAt[least]) {
                least = slot;
            }
        }
        hashes[least] = hash;
        fullAt[least] = 0;
        return least;
    }

    private long hash(String key) {
        long hash = seed;
        for (int i = 0; i < key.length(); i++) {
            hash = (hash ^ key.charAt(i)) * 0x9e3779b97f4a7c15L;
            hash ^= hash >>> 29;
        }
        hash *= 0xbf58476d1ce4e5b9L;
        hash ^= hash >>> 32;
        return hash == 0 ? 1 : hash;
    }
}
