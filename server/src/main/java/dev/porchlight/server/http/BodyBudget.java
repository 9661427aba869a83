// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The memory that incomplete request bodies share. A body that arrives in one piece uses none of it.
 *
 * <p>Each client address has a share. When the share or the whole budget is used up, the largest body is evicted, or the
 * oldest of several equally large: from the same address, or from the address that uses most. So an address that holds
 * memory loses it to later requests. Thread-safe.
 */
final class BodyBudget {
    /** The cost of a waiting request beside its headers and its body. */
    static final long REQUEST_BYTES = 2_048;

    private final long total;
    private final long perAddress;
    private final LongAdder evicted = new LongAdder();
    private final Map<@Nullable String, Share> shares = new HashMap<>();
    private long used;

    /** A partly buffered body. */
    interface Holder {
        /** The client address whose share it uses, or null for a trusted proxy, which has none. */
        @Nullable
        String address();

        /** Drops the body. Called on any thread. */
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

    /** Records the size of a body. Evicts this body itself if it is the largest candidate. */
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

    /** Frees the memory of a body that is complete or abandoned. */
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

    /** The number of bodies evicted so far. */
    long evicted() {
        return evicted.sum();
    }

    /** The bytes in use. */
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
