// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * The request bodies that have not arrived completely, and the memory that they share. A body that arrives in one piece needs
 * none of it.
 *
 * <p>Each client address has a share. When the share or all of the memory is used up, the largest body is given up, and the
 * oldest of several: of the same address, or of the address that holds most. So a client that holds memory loses it to those
 * that come later, whatever they send. Thread-safe.
 */
final class Arrivals {
    /** What a waiting request costs beside its headers and its body. */
    static final long WEIGHT = 2_048;

    private final long room;
    private final long perAddress;
    private final Scheduler scheduler;
    private final Executor executor;
    private final LongAdder evicted = new LongAdder();
    private final Map<@Nullable String, Share> shares = new HashMap<>();
    private long held;

    /** A body of which a part is held. */
    abstract static class Holder {
        private long weight;

        /** The client address whose share it takes, or null for a trusted proxy, which has none. */
        abstract @Nullable String address();

        /** Gives the body up, on any thread. */
        abstract void evict();
    }

    private static final class Share {
        private final Set<Holder> holders = new LinkedHashSet<>();
        private long held;
    }

    /** Bodies that did not arrive at once are handed to the executor. */
    Arrivals(long room, long perAddress, Scheduler scheduler, Executor executor) {
        this.room = room;
        this.perAddress = perAddress;
        this.scheduler = scheduler;
        this.executor = executor;
    }

    Intake begin(Request request, Intake.Taker taker) {
        Intake intake = new Intake(request, scheduler, executor, taker);
        intake.begin();
        return intake;
    }

    /** Records what a body needs now. It is evicted itself if it is the largest of those that may be. */
    void hold(Holder holder, long weight) {
        while (true) {
            Holder largest;
            synchronized (this) {
                Share share = shares.computeIfAbsent(holder.address(), unused -> new Share());
                share.holders.add(holder);
                set(share, holder, weight);
                if (share.held > perAddress && holder.address() != null) {
                    largest = largest(share);
                } else if (held > room) {
                    largest = largest(fullest());
                } else {
                    return;
                }
                remove(largest);
            }
            evicted.increment();
            largest.evict();
            if (largest == holder) {
                return;
            }
        }
    }

    /** The body is complete or given up. */
    synchronized void release(Holder holder) {
        remove(holder);
    }

    /** How many bodies were given up so far because their memory was needed for others. */
    long evicted() {
        return evicted.sum();
    }

    /** The bytes held now. */
    synchronized long held() {
        return held;
    }

    private void set(Share share, Holder holder, long weight) {
        share.held += weight - holder.weight;
        held += weight - holder.weight;
        holder.weight = weight;
    }

    private void remove(Holder holder) {
        Share share = shares.get(holder.address());
        if (share != null && share.holders.remove(holder)) {
            set(share, holder, 0);
            if (share.holders.isEmpty()) {
                shares.remove(holder.address());
            }
        }
    }

    private Share fullest() {
        Share fullest = null;
        for (Share each : shares.values()) {
            if (fullest == null || each.held > fullest.held) {
                fullest = each;
            }
        }
        return Objects.requireNonNull(fullest);
    }

    /** The first of the largest, which is the oldest. */
    private static Holder largest(Share share) {
        Holder largest = null;
        for (Holder each : share.holders) {
            if (largest == null || each.weight > largest.weight) {
                largest = each;
            }
        }
        return Objects.requireNonNull(largest);
    }
}
