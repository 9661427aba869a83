// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded ring of ended spans: any thread offers, one thread takes, and nobody waits for anybody.
 *
 * <p>A producer claims a position by moving the tail and then fills its slot; the consumer waits for a claimed slot to be
 * filled, which is a matter of nanoseconds. Closing sets the sign bit of the tail in the same word, so that a span is
 * either in the ring before the close or refused: none can slip in behind the last look.
 */
final class SpanQueue {
    enum Offer {
        TAKEN,
        FULL,
        CLOSED
    }

    private static final long CLOSED_BIT = Long.MIN_VALUE;

    private final AtomicReferenceArray<@Nullable Span> slots;
    private final int mask;
    private final int capacity;
    private final AtomicLong tail = new AtomicLong();
    private final AtomicLong head = new AtomicLong();

    SpanQueue(int capacity) {
        this.capacity = capacity;
        int length = Integer.highestOneBit(Math.max(1, capacity - 1)) << 1;
        mask = length - 1;
        slots = new AtomicReferenceArray<>(length);
    }

    Offer offer(Span span) {
        long position;
        do {
            position = tail.get();
            if (position < 0) {
                return Offer.CLOSED;
            }
            if (position - head.get() >= capacity) {
                return Offer.FULL;
            }
        } while (!tail.compareAndSet(position, position + 1));
        slots.setRelease((int) position & mask, span);
        return Offer.TAKEN;
    }

    /** Moves spans into {@code batch} until it holds {@code max}. For one consumer only. */
    void drain(List<Span> batch, int max) {
        long position = head.getPlain();
        long end = position();
        while (batch.size() < max && position < end) {
            batch.add(take((int) position & mask));
            head.setRelease(++position);
        }
    }

    private Span take(int slot) {
        Span span = slots.getAcquire(slot);
        while (span == null) {
            Thread.onSpinWait();
            span = slots.getAcquire(slot);
        }
        slots.setRelease(slot, null);
        return span;
    }

    void close() {
        tail.getAndUpdate(position -> position | CLOSED_BIT);
    }

    /** How many spans were ever taken in. */
    long position() {
        return tail.get() & ~CLOSED_BIT;
    }

    int size() {
        long taken = head.get(); // before the tail, so that the difference is never negative
        return (int) Math.min(capacity, position() - taken);
    }

    int capacity() {
        return capacity;
    }
}
