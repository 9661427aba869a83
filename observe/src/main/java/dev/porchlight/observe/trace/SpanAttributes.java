// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a span. The thread that started the span sets them without synchronization.
 *
 * <p>Attributes set by other threads are kept separately and merged when the span is read. This is a superclass and not
 * a separate object, because creating a span must take only nanoseconds.
 */
abstract class SpanAttributes extends SpanState {
    /** Filled by the owner only, without taking the span; null if nothing is recorded. */
    private final @Nullable AttributeSet own;

    /** The thread that started the span; null after it has ended. */
    private @Nullable Thread owner;

    private @Nullable Others others;

    /**
     * The attributes set by any thread after a thread other than the owner has set one.
     *
     * @param set starts as a copy of the owner's, so that a replaced value does not count twice against the limit
     * @param copied the initial copy; the owner may concurrently replace some of its values
     */
    private record Others(AttributeSet set, Attributes copied) {}

    SpanAttributes(TraceSettings.Limits limits, int expected) {
        super(true);
        this.own = new AttributeSet(limits, expected);
        this.owner = Thread.currentThread();
    }

    /** For a span that records nothing. */
    SpanAttributes() {
        super(false);
        this.own = null;
    }

    final void put(String key, @Nullable Object value) {
        AttributeSet mine = mine();
        if (mine != null) {
            mine.put(key, value);
        } else if (take()) {
            try {
                shared().put(key, value);
            } finally {
                release();
            }
        }
    }

    final void putAll(Attributes values) {
        AttributeSet mine = mine();
        if (mine != null) {
            mine.putAll(values);
        } else if (take()) {
            try {
                shared().putAll(values);
            } finally {
                release();
            }
        }
    }

    /** Puts the last attributes. Called by the thread that has taken the span to end it. */
    final void putLast(Attributes values) {
        AttributeSet mine = mine();
        if (values != null && values.size() > 0) {
            (mine != null ? mine : shared()).putAll(values);
        }
        if (mine != null) {
            owner = null;
        }
    }

    /**
     * Returns the owner's attributes if the caller is the owner and no other thread has set an attribute; after that,
     * order matters. Returns null for other threads and after the end.
     */
    private @Nullable AttributeSet mine() {
        return owner == Thread.currentThread() && others == null && recording() ? own : null;
    }

    private AttributeSet shared() {
        Others present = others;
        if (present == null) {
            AttributeSet set = Objects.requireNonNull(own).copy();
            present = new Others(set, set.toAttributes());
            others = present;
        }
        return present.set;
    }

    /** Returns the attributes of an ended span, for the exporter; null if nothing was recorded. */
    final @Nullable AttributeSet endAttributes() {
        if (own == null || owner == null && others == null) {
            return own;
        }
        // Another thread ended the span or set an attribute. The owner may still be writing to its set; a copy leaves
        // out an incomplete pair.
        AttributeSet all = own.copy();
        if (others != null) {
            all.putChanges(others.set, others.copied);
        }
        return all;
    }
}
