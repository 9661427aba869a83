// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A CBOR map: keys that are integers, texts or byte strings, none twice, in the order received.
 *
 * <p>Entries are few, so looking one up walks over them; hostile keys cannot make a hash table degrade.
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

    /** Takes lists of equal length over; the caller must let go of them. */
    static CborMap owning(List<CborValue> keys, List<CborValue> values) {
        return keys.isEmpty() ? EMPTY : new CborMap(keys, values);
    }

    /** How many entries there are. */
    public int size() {
        return keys.size();
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return keys.isEmpty();
    }

    /** The keys in the order received. */
    public List<CborValue> keys() {
        return keys;
    }

    /** The value under a key, or null when there is none. */
    public @Nullable CborValue get(CborValue key) {
        int at = keys.indexOf(key);
        return at < 0 ? null : values.get(at);
    }

    /** The value under an integer key, or null when there is none. */
    public @Nullable CborValue get(long key) {
        return get(new Int(key));
    }

    /** The value under a text key, or null when there is none. */
    public @Nullable CborValue get(String key) {
        return get(new Text(key));
    }

    /** Whether both have the same entries, in whatever order. */
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
