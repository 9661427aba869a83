// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * A rate limit of this process, in fixed memory. Thread-safe.
 *
 * <p>Of each key only the time is kept at which its budget will be full again (the generic cell rate algorithm). Keys live in
 * sets of eight places; when a set is full, the key that has spent least is forgotten, so that a flood of addresses costs no
 * memory and forgives the least. Places are found by a hash with a seed from the start, so no client can choose keys that
 * collide.
 */
public final class RateLimiter implements RateLimit {
    private static final int WAYS = 8;
    private static final int SETS = 8_192;
    private static final int LOCKS = 64;

    /** The time in which a quarter comes back. */
    private final long quarterNanos;
    /** The time in which an empty budget fills. */
    private final long fillNanos;

    private final LongSupplier nanoTime;
    private final long origin;
    private final long seed = ThreadLocalRandom.current().nextLong();
    /** The key of each place; a zero hash is an empty place. */
    private final long[] hashes = new long[SETS * WAYS];
    /** When the budget of each place is full, since the origin. */
    private final long[] fullAt = new long[SETS * WAYS];

    private final Object[] locks = new Object[LOCKS];

    /** A limit of so many units a minute, by a monotonic clock. */
    public RateLimiter(int perMinute, LongSupplier nanoTime) {
        if (perMinute < 1) {
            throw new IllegalArgumentException("a limit of " + perMinute + " a minute accepts nothing");
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
            int place = placeOf(hash, set * WAYS);
            long full = Math.max(fullAt[place], now);
            long wait = needed == ANYTHING ? 0 : full + needed * quarterNanos - fillNanos - now;
            if (wait > 0) {
                return Duration.ofNanos(wait);
            }
            fullAt[place] = Math.min(full + cost * quarterNanos, now + 2 * fillNanos);
            return Duration.ZERO;
        }
    }

    /** The key's place, or that of the key that has spent least. */
    private int placeOf(long hash, int first) {
        int least = first;
        for (int place = first; place < first + WAYS; place++) {
            if (hashes[place] == hash) {
                return place;
            }
            if (fullAt[place] < fullAt[least]) {
                least = place;
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
