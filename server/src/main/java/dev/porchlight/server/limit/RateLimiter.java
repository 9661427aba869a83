// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * A rate limit of this process, in fixed memory. Thread-safe.
 *
 * <p>The whole number may be spent at once. Requests are counted by slots of ten seconds, so that what was spent comes back
 * after sixty to seventy. Keys live in sets of eight places; when a set is full, the key that has spent least is forgotten,
 * so that a flood of addresses costs memory nothing and forgives first those who have least to be forgiven. Places are found
 * by a hash seeded at start: nobody can choose keys that meet.
 */
public final class RateLimiter implements RateLimit {
    private static final int WAYS = 8;
    private static final int SETS = 8_192;
    private static final int LOCKS = 64;
    private static final long SLOT_NANOS = Duration.ofSeconds(10).toNanos();
    /** The slot under way and the six before it: sixty seconds, wherever in its slot we are. */
    private static final int SLOTS = 7;

    private final int perMinute;
    private final LongSupplier nanoTime;
    private final long origin;
    private final long seed = ThreadLocalRandom.current().nextLong();
    /** Whose place it is; a zero hash is an empty place. */
    private final long[] hashes = new long[SETS * WAYS];
    /** In which slot a place was counted in last. */
    private final int[] lastSlots = new int[SETS * WAYS];
    /** Requests by place and slot, the slots going round. */
    private final int[] counts = new int[SETS * WAYS * SLOTS];

    private final Object[] locks = new Object[LOCKS];

    public RateLimiter(int perMinute, LongSupplier nanoTime) {
        if (perMinute < 1) {
            throw new IllegalArgumentException("a limit of " + perMinute + " requests a minute lets nobody in");
        }
        this.perMinute = perMinute;
        this.nanoTime = nanoTime;
        this.origin = nanoTime.getAsLong();
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new Object();
        }
    }

    @Override
    public Duration acquire(String key) {
        long hash = hash(key);
        int set = (int) (hash & SETS - 1);
        synchronized (locks[set % LOCKS]) {
            long now = nanoTime.getAsLong() - origin;
            int slot = (int) (now / SLOT_NANOS);
            int place = placeOf(hash, set * WAYS, slot);
            if (spent(place, slot) >= perMinute) {
                return Duration.ofNanos(oldest(place, slot) * SLOT_NANOS + SLOTS * SLOT_NANOS - now);
            }
            counts[place * SLOTS + slot % SLOTS]++;
            return Duration.ZERO;
        }
    }

    /** The key's place, with nothing in it that is over. */
    private int placeOf(long hash, int first, int slot) {
        int weakest = first;
        for (int place = first; place < first + WAYS; place++) {
            if (hashes[place] == hash) {
                forgetBefore(slot, place);
                return place;
            }
            if (spent(place, slot) < spent(weakest, slot)) {
                weakest = place;
            }
        }
        hashes[weakest] = hash;
        lastSlots[weakest] = slot - SLOTS;
        forgetBefore(slot, weakest);
        return weakest;
    }

    private void forgetBefore(int slot, int place) {
        for (int over = Math.max(lastSlots[place], slot - SLOTS) + 1; over <= slot; over++) {
            counts[place * SLOTS + Math.floorMod(over, SLOTS)] = 0;
        }
        lastSlots[place] = slot;
    }

    /** What was spent in the last minute, by a place that may not have been looked at since. */
    private int spent(int place, int slot) {
        int spent = 0;
        for (int counted = Math.max(0, slot - SLOTS + 1); counted <= lastSlots[place]; counted++) {
            spent += counts[place * SLOTS + counted % SLOTS];
        }
        return spent;
    }

    /** The oldest slot in which something was spent, of a place where something was. */
    private int oldest(int place, int slot) {
        int oldest = Math.max(0, slot - SLOTS + 1);
        while (counts[place * SLOTS + oldest % SLOTS] == 0) {
            oldest++;
        }
        return oldest;
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
