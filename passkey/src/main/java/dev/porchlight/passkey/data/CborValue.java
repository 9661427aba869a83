// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import java.util.List;

/**
 * One item of CBOR, of the kinds that WebAuthn's structures are made of.
 *
 * <p>An integer and a text never equal each other, so a key {@code 1} is never taken for a key {@code "1"}. All kinds
 * are immutable and thread-safe.
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

    /** A byte string. */
    record ByteString(Bytes value) implements CborValue {}

    /** A text, valid UTF-8 where it came from. */
    record Text(String value) implements CborValue {}

    /** A list of items. */
    record Array(List<CborValue> items) implements CborValue {
        public Array {
            items = List.copyOf(items);
        }
    }

    /** True or false. */
    record Bool(boolean value) implements CborValue {}

    /** The null of CBOR. */
    record Null() implements CborValue {}
}
