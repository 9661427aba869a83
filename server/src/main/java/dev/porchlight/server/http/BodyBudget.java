// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The memory that incomplete request bodies share. A body that arrives in one piece needs none of it.
 *
 * <p>Each client address has a share. When the share or the whole budget is used up, the largest body is evicted, the oldest
 * of several: from the same address, or from the address that holds most. So a client that holds memory loses it to
 * later ones. Thread-safe.
 */
final class BodyBudget {
    /** What a waiting request costs beside its headers and its body. */
    static final long REQUEST_BYTES = 2_048;

    private final long total;
    private final long perAddress;
    private final LongAdder evicted = new LongAdder();
    private final Map<@Nullable String, Share> shares = new HashMap<>();
    private long used;

    /** A body of which a part is in memory. */
    interface Holder {
        /** The client address whose share it takes, or null for a trusted proxy, which has none. */
        @Nullable
        String address();

        /** Drops the body, on any thread. */
        void evict();
    }

    private static final class Share {
        /** Oldest first. */
        private final Map<Holder, Long> bytes = new LinkedHashMap<>();

        private long used;

        private Holder largest() {
            Holder largest = bytes.keySet().iterator().next();
            for (Map.Entry<Holder, Long> each : bytes.entrySet()) {
                if (each.getValue() > bytes.getOrDefault(largest, 0L)) {
                    largest = each.getKey();
                }
            }
            return largest;
        }
    }

    BodyBudget(long total, long perAddress) {
        this.total = total;
        this.perAddress = perAddress;
    }

    /** Records what a body needs now. It is evicted itself if it is the largest candidate. */
    void hold(Holder holder, long bytes) {
        Holder largest = null;
        while (largest != holder) {
            synchronized (this) {
                Share share = shares.computeIfAbsent(holder.address(), unused -> new Share());
                set(share, holder, bytes);
                if (share.used > perAddress && holder.address() != null) {
                    largest = share.largest();
                } else if (used > total) {
                    largest = shares.values().stream()
                            .max(Comparator.comparingLong(each -> each.used))
                            .orElse(share)
                            .largest();
                } else {
                    return;
                }
                release(largest);
            }
            evicted.increment();
            largest.evict();
        }
    }

    /** Returns the memory of a body that is complete or abandoned. */
    synchronized void release(Holder holder) {
        Share share = shares.get(holder.address());
        if (share != null && share.bytes.containsKey(holder)) {
            set(share, holder, 0);
            share.bytes.remove(holder);
            if (share.bytes.isEmpty()) {
                shares.remove(holder.address());
            }
        }
    }

    /** How many bodies were evicted so far. */
    long evicted() {
        return evicted.sum();
    }

    /** The bytes in use now. */
    synchronized long used() {
        return used;
    }

    private void set(Share share, Holder holder, long bytes) {
        Long before = share.bytes.put(holder, bytes);
        long more = bytes - (before == null ? 0 : before);
        share.used += more;
        used += more;
    }
}
