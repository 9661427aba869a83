// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.wire.WireBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The fields bound to a child logger, rendered once as bytes. Immutable. */
final class BoundFields {
    static final BoundFields NOTHING = new BoundFields(new FieldName[0], new int[0], new byte[0], new Object[0], 0);

    /** The limit for the bytes of bound fields; a value that started below it is written completely. */
    static final int MAX_BYTES = 4 * 1024;

    private final FieldName[] names;

    private final int[] ends;

    private final byte[] encoded;

    /** The values for an exporter, by name; empty without one. */
    private final @Nullable Object[] values;

    private final long bits;
    final int omitted;

    private BoundFields(FieldName[] names, int[] ends, byte[] encoded, @Nullable Object[] values, int omitted) {
        this.names = names;
        this.ends = ends;
        this.encoded = encoded;
        this.values = values;
        this.omitted = omitted;
        long all = 0;
        for (FieldName name : names) {
            all |= name.bit;
        }
        bits = all;
    }

    /** Returns these fields and further ones, which replace fields of the same name. */
    BoundFields and(Fields fields, Line line, FieldNames known, LineShape shape, boolean exported) {
        line.resolve(fields, known);
        line.values.endAt(MAX_BYTES);
        WireBuffer out = line.out;
        FieldName[] kept = new FieldName[names.length + fields.size()];
        int[] keptEnds = new int[kept.length];
        @Nullable Object[] keptValues = new Object[exported ? kept.length : 0];
        LogValues converter = exported ? new LogValues(known) : null;
        int count = 0;
        for (int i = 0; i < names.length; i++) {
            if (!line.has(names[i])) {
                out.put(encoded, start(i), ends[i] - start(i));
                if (exported && i < values.length) {
                    keptValues[count] = values[i];
                }
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
                if (converter != null) {
                    keptValues[count] = converter.of(name, fields.value(i));
                }
                kept[count] = name;
                keptEnds[count++] = out.length();
            }
        }
        return new BoundFields(
                Arrays.copyOf(kept, count),
                Arrays.copyOf(keptEnds, count),
                out.toByteArray(),
                Arrays.copyOf(keptValues, exported ? count : 0),
                missing);
    }

    boolean has(FieldName wanted) {
        boolean found = false;
        for (int i = 0; (bits & wanted.bit) != 0 && i < names.length; i++) {
            found |= names[i].sameAs(wanted);
        }
        return found;
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

    /** Adds these fields to an exported record, except those that the line's own fields override. */
    void addTo(LogValues record, Line line) {
        for (int i = 0; i < values.length; i++) {
            if (!line.has(names[i])) {
                record.add(names[i].printed, values[i]);
            }
        }
    }

    private int start(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }
}
