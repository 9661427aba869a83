// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.wire.WireBuffer;
import org.jspecify.annotations.Nullable;

/** A line being encoded, with buffers that avoid allocation. Not thread-safe; reusable. */
final class Line {
    /** The maximum bytes of a line, including its end. */
    static final int MAX_BYTES = 64 * 1024;

    /** No field starts beyond this offset: the rest is reserved for the end of the line and for a value already started. */
    static final int FIELDS_END = MAX_BYTES - 4 * 1024;

    static final int MAX_FIELDS = 256;
    private static final int WORTH_KEEPING = 32 * 1024;

    final WireBuffer out = new WireBuffer(1024);
    final Timestamp time = new Timestamp();
    final ValueWriter values;

    /** The names of the resolved fields; null where a later field of the same name wins. */
    @Nullable
    FieldName[] names = new FieldName[16];

    int count;

    /** The correlation id of the calling thread's request. */
    @Nullable
    String correlationId;

    Line(FieldNames known) {
        values = new ValueWriter(out, known);
    }

    /** Resolves the field names, drops duplicates, and returns the bits of all names. */
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

    boolean has(FieldName wanted) {
        for (int i = 0; i < count; i++) {
            FieldName name = names[i];
            if (name != null && name.sameAs(wanted)) {
                return true;
            }
        }
        return false;
    }

    /** Clears this line. Returns false if it has grown too large to be reused. */
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
