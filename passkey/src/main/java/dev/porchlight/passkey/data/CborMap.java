// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A CBOR map with unique keys (integers, texts or byte strings) in the order received. Immutable.
 *
 * <p>Lookup is a linear search: entries are few, and hostile keys cannot degrade a hash table.
 */
public final class CborMap implements CborValue {
    /** A map without entries. */
    public static final CborMap EMPTY = new CborMap(List.of(), List.of());

    private final List<CborValue> keys;
    private final List<CborValue> values;

    private CborMap(List<CborValue> keys, List<CborValue> values) {
        this.keys = keys;
        this.values = values;
    }

    /** Takes ownership of two lists of equal length; the caller must not change them. */
    static CborMap owning(List<CborValue> keys, List<CborValue> values) {
        return keys.isEmpty() ? EMPTY : new CborMap(keys, values);
    }

    /** The number of entries. */
    public int size() {
        return keys.size();
    }

    /** Returns whether the map is empty. */
    public boolean isEmpty() {
        return keys.isEmpty();
    }

    /** The keys in the order received. */
    public List<CborValue> keys() {
        return keys;
    }

    /** The value under a key, or null. */
    public @Nullable CborValue get(CborValue key) {
        int at = keys.indexOf(key);
        return at < 0 ? null : values.get(at);
    }

    /** The value under an integer key, or null. */
    public @Nullable CborValue get(long key) {
        return get(new Int(key));
    }

    /** The value under a text key, or null. */
    public @Nullable CborValue get(String key) {
        return get(new Text(key));
    }

    /** Returns whether both have the same entries, in any order. */
    @Override
    public boolean equals(Object other) {
        return other instanceof CborMap that
                && size() == that.size()
                && keys.stream().allMatch(key -> Objects.equals(get(key), that.get(key)));
    }

    @Override
    public int hashCode() {
        int sum = 0;
        for (int i = 0; i < keys.size(); i++) {
            sum += keys.get(i).hashCode() ^ values.get(i).hashCode();
        }
        return sum;
    }

    @Override
    public String toString() {
        return "CborMap of " + size();
    }
}
