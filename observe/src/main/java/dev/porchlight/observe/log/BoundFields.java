// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.wire.WireBuffer;
import java.util.Arrays;

/** The fields bound to a child logger, rendered once as bytes. Immutable. */
final class BoundFields {
    static final BoundFields NOTHING = new BoundFields(new FieldName[0], new int[0], new byte[0], 0);

    /** The limit for the bytes of bound fields; a value that started below it is written completely. */
    static final int MAX_BYTES = 4 * 1024;

    private final FieldName[] names;

    private final int[] ends;

    private final byte[] encoded;
    private final long bits;
    final int omitted;

    private BoundFields(FieldName[] names, int[] ends, byte[] encoded, int omitted) {
        this.names = names;
        this.ends = ends;
        this.encoded = encoded;
        this.omitted = omitted;
        long all = 0;
        for (FieldName name : names) {
            all |= name.bit;
        }
        bits = all;
    }

    /** Returns these fields and further ones, which replace fields of the same name. */
    BoundFields and(Fields fields, Line line, FieldNames known, LineShape shape) {
        line.resolve(fields, known);
        line.values.endAt(MAX_BYTES);
        WireBuffer out = line.out;
        FieldName[] kept = new FieldName[names.length + fields.size()];
        int[] keptEnds = new int[kept.length];
        int count = 0;
        for (int i = 0; i < names.length; i++) {
            if (!line.has(names[i])) {
                out.put(encoded, start(i), ends[i] - start(i));
                kept[count] = names[i];
                keptEnds[count++] = out.length();
            }
        }
        int missing = omitted + Math.max(0, fields.size() - Line.MAX_FIELDS);
        for (int i = 0; i < line.count; i++) {
            FieldName name = line.names[i];
            if (name != null && line.values.full()) {
                missing++;
            } else if (name != null) {
                shape.field(line, fields, i, name);
                kept[count] = name;
                keptEnds[count++] = out.length();
            }
        }
        return new BoundFields(Arrays.copyOf(kept, count), Arrays.copyOf(keptEnds, count), out.toByteArray(), missing);
    }

    /** Writes these fields, except those that the line's own fields override. */
    void writeTo(Line line, long fieldBits) {
        if ((bits & fieldBits) == 0) {
            line.out.put(encoded);
            return;
        }
        for (int i = 0; i < names.length; i++) {
            if (!line.has(names[i])) {
                line.out.put(encoded, start(i), ends[i] - start(i));
            }
        }
    }

    private int start(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }
}
