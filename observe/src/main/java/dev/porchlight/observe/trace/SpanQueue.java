// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded ring of ended spans: any thread offers, one thread takes, and none waits.
 *
 * <p>A producer claims a position by moving the tail and then fills its slot; the consumer waits for a claimed slot to be
 * filled, which is a matter of nanoseconds. Closing sets the sign bit of the tail in the same word, so that a span is
 * either in the ring before the close or refused: none can slip in behind the last look.
 *
 * <p>Producers look at the head only when the ring seems full, and the consumer moves it once a batch, so that the two
 * sides do not take the cache line from each other with every span.
 */
final class SpanQueue {
    /** What {@link #offer} returns instead of a position. */
    static final long FULL = -1;

    static final long CLOSED = -2;

    private static final long CLOSED_BIT = Long.MIN_VALUE;

    /** The words below lie 128 bytes apart and from whatever the heap holds beside them. */
    private static final int APART = 16;

    private static final int TAIL = APART;
    private static final int HEAD = 2 * APART;

    /** Where the head was when a producer last looked, never ahead of it. */
    private static final int SEEN_HEAD = 3 * APART;

    private final AtomicLongArray words = new AtomicLongArray(4 * APART);
    private final AtomicReferenceArray<@Nullable Span> slots;
    private final int mask;
    private final int capacity;

    SpanQueue(int capacity) {
        this.capacity = capacity;
        int length = Integer.highestOneBit(Math.max(1, capacity - 1)) << 1;
        mask = length - 1;
        slots = new AtomicReferenceArray<>(length);
    }

    /** Takes a span in and returns its position, counted from 0; or {@link #FULL} or {@link #CLOSED}. */
    long offer(Span span) {
        long position;
        do {
            position = words.get(TAIL);
            if (position < 0) {
                return CLOSED;
            }
            if (position - words.getAcquire(SEEN_HEAD) >= capacity && position - look() >= capacity) {
                return FULL;
            }
        } while (!words.compareAndSet(TAIL, position, position + 1));
        slots.setRelease((int) position & mask, span);
        return position;
    }

    private long look() {
        long head = words.get(HEAD);
        words.setRelease(SEEN_HEAD, head); // with it, that the slots before the head are empty
        return head;
    }

    /** Moves spans into {@code batch} until it holds {@code max}. For one consumer only. */
    void drain(List<Span> batch, int max) {
        long position = words.getPlain(HEAD);
        long end = position();
        while (batch.size() < max && position < end) {
            batch.add(take((int) position & mask));
            position++;
        }
        words.setRelease(HEAD, position);
    }

    private Span take(int slot) {
        Span span = slots.getAcquire(slot);
        while (span == null) {
            Thread.onSpinWait();
            span = slots.getAcquire(slot);
        }
        slots.setPlain(slot, null); // published with the head
        return span;
    }

    void close() {
        words.getAndUpdate(TAIL, position -> position | CLOSED_BIT);
    }

    /** How many spans were ever taken in. */
    long position() {
        return words.get(TAIL) & ~CLOSED_BIT;
    }

    /** How many spans were ever given out. */
    long given() {
        return words.get(HEAD);
    }

    int size() {
        long given = given(); // before the tail, so that the difference is never negative
        return (int) Math.min(capacity, position() - given);
    }

    int capacity() {
        return capacity;
    }
}
