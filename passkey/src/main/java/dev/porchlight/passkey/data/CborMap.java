// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A CBOR map with unique keys (integers, texts or byte strings) in the order received. Immutable: the reader passes lists
 * that do not change.
 *
 * <p>Lookup is a linear search: entries are few, and hostile keys cannot degrade a hash table.
 */
public record CborMap(List<CborValue> keys, List<CborValue> values) implements CborValue {
    public int size() {
        return keys.size();
    }

    public boolean isEmpty() {
        return keys.isEmpty();
    }

    public @Nullable CborValue get(CborValue key) {
        int at = keys.indexOf(key);
        return at < 0 ? null : values.get(at);
    }

    public @Nullable CborValue get(long key) {
        return get(new Int(key));
    }

    public @Nullable CborValue get(String key) {
        return get(new Text(key));
    }

    /** Requires that a value is a byte string; {@code part} is its name in error messages. */
    public static Bytes bytes(@Nullable CborValue value, String part) throws MalformedException {
        return require(ByteString.class, value, part, "not a byte string").value();
    }

    public static String text(@Nullable CborValue value, String part) throws MalformedException {
        return require(Text.class, value, part, "not a string").value();
    }

    public static <V extends CborValue> V require(
            Class<V> kind, @Nullable CborValue value, String part, String otherwise) throws MalformedException {
        if (!kind.isInstance(value)) {
            throw new MalformedException(part, otherwise);
        }
        return kind.cast(value);
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
