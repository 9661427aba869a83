// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import java.util.List;

/**
 * A CBOR item of a kind that WebAuthn uses. Immutable.
 *
 * <p>An integer never equals a text, so the keys {@code 1} and {@code "1"} are different.
 */
public sealed interface CborValue
        permits CborMap,
                CborValue.Int,
                CborValue.ByteString,
                CborValue.Text,
                CborValue.Array,
                CborValue.Bool,
                CborValue.Null {

    /** An integer of at most 64 bits, sign included. */
    record Int(long value) implements CborValue {}

    record ByteString(Bytes value) implements CborValue {}

    /** A text string, decoded from valid UTF-8. */
    record Text(String value) implements CborValue {}

    record Array(List<CborValue> items) implements CborValue {
        public Array {
            items = List.copyOf(items);
        }
    }

    record Bool(boolean value) implements CborValue {}

    record Null() implements CborValue {}
}
