// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded, non-blocking ring buffer of items, such as ended spans, for many producers and one consumer.
 *
 * <p>A producer claims a position by advancing the tail and then fills its slot; the consumer spins until a claimed
 * slot is filled, which takes nanoseconds. Closing sets the sign bit of the tail, so that every item is either in the
 * ring before the close or refused.
 *
 * <p>Producers read the head only when the ring seems full, and the consumer advances it once per batch, so that the
 * two sides do not contend for a cache line with every item.
 */
public final class ItemQueue<T> implements ItemSource<T> {
    /** Returned by {@link #offer} instead of a position. */
    public static final long FULL = -1;

    public static final long CLOSED = -2;

    private static final long CLOSED_BIT = Long.MIN_VALUE;

    /** Padding: the words are 128 bytes apart from each other and from other objects. */
    private static final int APART = 16;

    private static final int TAIL = APART;
    private static final int HEAD = 2 * APART;

    /** The head as a producer last read it; never ahead of the real head. */
    private static final int SEEN_HEAD = 3 * APART;

    private final AtomicLongArray words = new AtomicLongArray(4 * APART);
    private final AtomicReferenceArray<@Nullable T> slots;
    private final int mask;
    private final int capacity;

    public ItemQueue(int capacity) {
        this.capacity = capacity;
        int length = Integer.highestOneBit(Math.max(1, capacity - 1)) << 1;
        mask = length - 1;
        slots = new AtomicReferenceArray<>(length);
    }

    /** Adds an item and returns its position, starting at 0, or {@link #FULL} or {@link #CLOSED}. */
    public long offer(T item) {
        long position;
        do {
            position = words.get(TAIL);
            if (position < 0) {
                return CLOSED;
            }
            if (position - words.getAcquire(SEEN_HEAD) >= capacity && position - readHead() >= capacity) {
                return FULL;
            }
        } while (!words.compareAndSet(TAIL, position, position + 1));
        slots.setRelease((int) position & mask, item);
        return position;
    }

    private long readHead() {
        long head = words.get(HEAD);
        words.setRelease(SEEN_HEAD, head); // also publishes that the slots before the head are empty
        return head;
    }

    @Override
    public long drain(List<T> batch, int max) {
        long position = words.getPlain(HEAD);
        long end = position();
        while (batch.size() < max && position < end) {
            batch.add(take((int) position & mask));
            position++;
        }
        words.setRelease(HEAD, position);
        return position;
    }

    private T take(int slot) {
        T item = slots.getAcquire(slot);
        while (item == null) {
            Thread.onSpinWait();
            item = slots.getAcquire(slot);
        }
        slots.setPlain(slot, null); // published with the head
        return item;
    }

    @Override
    public void close() {
        words.getAndUpdate(TAIL, position -> position | CLOSED_BIT);
    }

    @Override
    public long position() {
        return words.get(TAIL) & ~CLOSED_BIT;
    }

    long given() {
        return words.get(HEAD);
    }

    @Override
    public int size() {
        long given = given(); // read before the tail, so that the difference is never negative
        return (int) Math.min(capacity, position() - given);
    }

    @Override
    public int capacity() {
        return capacity;
    }
}
