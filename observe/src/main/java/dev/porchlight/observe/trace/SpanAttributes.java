// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a span, which the thread that started it sets without taking the span.
 *
 * <p>What other threads set is kept apart and joined when the span is read. Not a separate object: a span has to be
 * created in nanoseconds.
 */
abstract class SpanAttributes extends SpanState {
    /** Filled by the owner alone, without taking the span; null when nothing is recorded. */
    private final @Nullable AttributeSet own;

    /** The thread that started the span, until it ends it. */
    private @Nullable Thread owner;

    private @Nullable Others others;

    /**
     * What is set once another thread has set something, by whomever.
     *
     * @param set begins with what the owner had, so that what is replaced does not count twice against the limit
     * @param copied what it began with; the owner may have been about to replace some of it
     */
    private record Others(AttributeSet set, Attributes copied) {}

    /** Of a recording span. */
    SpanAttributes(TraceSettings.Limits limits) {
        super(true);
        this.own = new AttributeSet(limits);
        this.owner = Thread.currentThread();
    }

    /** Of a span that keeps nothing. */
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

    /** The last attributes, put by the thread that has taken the span to end it. */
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
     * The owner's attributes for the owner, who needs no lock for them, until another thread has set one: from then on the
     * order of the two counts. Null for everybody else, and once the span has ended.
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

    /** The attributes of a span that has ended, for the exporter; null if nothing was recorded. */
    final @Nullable AttributeSet endAttributes() {
        if (own == null || owner == null && others == null) {
            return own;
        }
        // Another thread ended the span, or set an attribute. The owner may still be writing to its set, which is then
        // read as far as it is written: a copy leaves out an incomplete pair.
        AttributeSet all = own.copy();
        if (others != null) {
            all.putChanges(others.set, others.copied);
        }
        return all;
    }
}
