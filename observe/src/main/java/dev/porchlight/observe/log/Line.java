// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.wire.WireBuffer;
import org.jspecify.annotations.Nullable;

/** A line that is being encoded, with everything needed to do so without allocating. Not thread-safe; reusable. */
final class Line {
    /** The most bytes of a line, its end included. */
    static final int MAX_BYTES = 64 * 1024;

    /** Where fields stop: the rest is for what closes a line and for a value that had begun before. */
    static final int FIELDS_END = MAX_BYTES - 4 * 1024;

    static final int MAX_FIELDS = 256;
    private static final int WORTH_KEEPING = 32 * 1024;

    final WireBuffer out = new WireBuffer(1024);
    final Timestamp time = new Timestamp();
    final ValueWriter values;

    /** The names of the fields at hand; null where a later field of that name counts. */
    @Nullable
    FieldName[] names = new FieldName[16];

    /** How many fields are at hand. */
    int count;

    Line(FieldNames known) {
        values = new ValueWriter(out, known);
    }

    /** Looks the names of the fields up, leaves out those that come again, and returns the bits of all of them. */
    long resolve(Fields fields, FieldNames known) {
        count = Math.min(fields.size(), MAX_FIELDS);
        if (count > names.length) {
            names = new FieldName[MAX_FIELDS];
        }
        long seen = 0;
        for (int i = 0; i < count; i++) {
            FieldName name = known.of(fields.name(i));
            if ((seen & name.bit) != 0) {
                forget(name, i);
            }
            names[i] = name;
            seen |= name.bit;
        }
        return seen;
    }

    /** Whether one of the resolved fields has this name. */
    boolean has(FieldName wanted) {
        for (int i = 0; i < count; i++) {
            FieldName name = names[i];
            if (name != null && name.sameAs(wanted)) {
                return true;
            }
        }
        return false;
    }

    /** Empties this line; false when it has grown too large to be kept for another. */
    boolean recycle() {
        out.clear();
        return out.capacity() <= WORTH_KEEPING;
    }

    private void forget(FieldName again, int end) {
        for (int i = 0; i < end; i++) {
            FieldName name = names[i];
            if (name != null && name.sameAs(again)) {
                names[i] = null;
            }
        }
    }
}
