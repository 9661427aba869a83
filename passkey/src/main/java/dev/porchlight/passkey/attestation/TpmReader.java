// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.passkey.data.Bytes;
import dev.porchlight.passkey.data.MalformedException;
import java.util.Arrays;

/** A cursor over the TPM's own marshalling: big-endian numbers and buffers with a 16-bit length before them. */
final class TpmReader {
    private final byte[] bytes;
    private final String part;
    private int position;

    TpmReader(Bytes bytes, String part) {
        this.bytes = bytes.toByteArray();
        this.part = part;
    }

    int u16() throws MalformedException {
        return (int) number(Short.BYTES);
    }

    long u32() throws MalformedException {
        return number(Integer.BYTES);
    }

    /** A {@code TPM2B_…}: its length, then its bytes. */
    Bytes sized() throws MalformedException {
        int length = u16();
        demand(length);
        position += length;
        return Bytes.copyOf(Arrays.copyOfRange(bytes, position - length, position));
    }

    void skip(int length) throws MalformedException {
        demand(length);
        position += length;
    }

    /** Demands that everything was read. */
    void finish() throws MalformedException {
        if (position != bytes.length) {
            throw new MalformedException(part, "bytes after the end");
        }
    }

    private long number(int length) throws MalformedException {
        demand(length);
        long value = 0;
        for (int i = 0; i < length; i++) {
            value = value << 8 | bytes[position++] & 0xFF;
        }
        return value;
    }

    private void demand(int length) throws MalformedException {
        if (length > bytes.length - position) {
            throw new MalformedException(part, "cut short");
        }
    }
}
