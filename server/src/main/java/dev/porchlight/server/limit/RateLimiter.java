// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Allows each key a number of requests a minute, in fixed memory (the generic cell rate algorithm). Thread-safe.
 *
 * <p>A key is one long: the time at which its budget is whole again. Half a minute's budget may be spent at once. Keys live in
 * sets of eight places; when a set is full, the key nearest to a whole budget is forgotten, so that a flood of addresses
 * costs memory nothing and forgives first those who have least to be forgiven. Places are found by a hash seeded at start:
 * nobody can choose keys that meet.
 */
public final class RateLimiter {
    private static final int WAYS = 8;
    private static final int SETS = 8_192;
    private static final int LOCKS = 64;

    private final long nanosPerRequest;
    private final long burstNanos;
    private final LongSupplier nanoTime;
    private final long origin;
    private final long seed = ThreadLocalRandom.current().nextLong();
    /** Pairs of hash and time of a whole budget; a zero hash is an empty place. */
    private final long[] places = new long[SETS * WAYS * 2];

    private final Object[] locks = new Object[LOCKS];

    public RateLimiter(int perMinute, LongSupplier nanoTime) {
        if (perMinute < 1) {
            throw new IllegalArgumentException("a limit of " + perMinute + " requests a minute lets nobody in");
        }
        this.nanosPerRequest = Duration.ofMinutes(1).toNanos() / perMinute;
        this.burstNanos = nanosPerRequest * Math.max(1, perMinute / 2);
        this.nanoTime = nanoTime;
        this.origin = nanoTime.getAsLong();
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new Object();
        }
    }

    /** Spends one request of the key's budget: zero if there was one, otherwise how long until there is. */
    public Duration acquire(String key) {
        long hash = hash(key);
        int set = (int) (hash & SETS - 1);
        synchronized (locks[set % LOCKS]) {
            long now = nanoTime.getAsLong() - origin;
            int place = placeOf(hash, set * WAYS * 2);
            long wholeAt = Math.max(now, places[place] == hash ? places[place + 1] : 0);
            long wait = wholeAt + nanosPerRequest - burstNanos - now;
            if (wait > 0) {
                return Duration.ofNanos(wait);
            }
            places[place] = hash;
            places[place + 1] = wholeAt + nanosPerRequest;
            return Duration.ZERO;
        }
    }

    private int placeOf(long hash, int first) {
        int weakest = first;
        for (int place = first; place < first + WAYS * 2; place += 2) {
            if (places[place] == hash) {
                return place;
            }
            if (places[place] == 0 || places[weakest] != 0 && places[place + 1] < places[weakest + 1]) {
                weakest = place;
            }
        }
        return weakest;
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
