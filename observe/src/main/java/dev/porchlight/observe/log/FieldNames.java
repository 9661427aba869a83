// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import org.jspecify.annotations.Nullable;

/**
 * A cache of field names, so that each is checked and encoded once. Bounded: when too many names collide, one replaces
 * another. Thread-safe.
 */
final class FieldNames {
    private static final int SLOTS = 1024;
    private static final int PROBES = 4;

    private final LineShape shape;

    /** Filled without a lock: names are immutable, and a thread that misses one creates an equal one. */
    private final @Nullable FieldName[] table = new FieldName[SLOTS];

    FieldNames(LineShape shape) {
        this.shape = shape;
    }

    FieldName of(String given) {
        int home = given.hashCode() * 0x9e3779b9 >>> 22;
        for (int probe = 0; probe < PROBES; probe++) {
            FieldName known = table[home + probe & SLOTS - 1];
            if (known == null) {
                return add(given, home + probe & SLOTS - 1);
            }
            if (known.given.equals(given)) {
                return known;
            }
        }
        return add(given, home);
    }

    private FieldName add(String given, int slot) {
        FieldName name = new FieldName(given, shape);
        if (given.length() <= FieldName.MAX_LENGTH) { // the key of a longer one would be retained in full
            table[slot] = name;
        }
        return name;
    }
}
