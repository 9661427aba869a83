// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * A parser of canonical CTAP2 CBOR. Not thread-safe.
 *
 * <p>Lengths are definite and every number has its shortest form; there are no tags, no floating point numbers, no simple
 * values except false, true and null, and no duplicate keys. Depth, size and entries are bounded, and a length never exceeds
 * the remaining bytes, so that no prefix can cause a large allocation. The order of keys is not checked, because some
 * authenticators violate it.
 */
public final class CborReader {
    static final int MAX_BYTES = 65_536;
    static final int MAX_DEPTH = 8;
    static final int MAX_ENTRIES = 64;

    private static final CborValue TRUE = new CborValue.Bool(true);
    private static final CborValue FALSE = new CborValue.Bool(false);
    private static final CborValue NULL = new CborValue.Null();
    /** Shared, so that many empty maps cost little memory. */
    private static final CborMap EMPTY = new CborMap(List.of(), List.of());

    private final byte[] input;
    private final String part;
    private int position;

    /**
     * Creates a parser.
     *
     * @param from the position of the first item
     * @param part the name of the bytes, for error messages
     */
    public CborReader(Bytes bytes, int from, String part) throws MalformedException {
        this.input = bytes.toByteArray();
        this.position = from;
        this.part = part;
        if (input.length > MAX_BYTES) {
            throw malformed("more than " + MAX_BYTES + " bytes");
        }
    }

    public static CborValue read(Bytes bytes, String part) throws MalformedException {
        var reader = new CborReader(bytes, 0, part);
        CborValue value = reader.item(0);
        if (reader.position < reader.input.length) {
            throw reader.malformed("bytes after the end");
        }
        return value;
    }

    public static CborMap readMap(Bytes bytes, String part) throws MalformedException {
        return CborMap.require(CborMap.class, read(bytes, part), part, "not a CBOR map");
    }

    public int position() {
        return position;
    }

    public CborMap nextMap() throws MalformedException {
        return CborMap.require(CborMap.class, item(0), part, "not a CBOR map");
    }

    private CborValue item(int depth) throws MalformedException {
        int head = octet();
        int major = head >>> 5;
        if (major == 7) {
            return simple(head);
        }
        if (major == 6) {
            throw malformed("a CBOR tag");
        }
        long argument = argument(head & 0x1f);
        return switch (major) {
            case 0 -> new CborValue.Int(signed(argument));
            case 1 -> new CborValue.Int(-1 - signed(argument));
            case 2 -> new CborValue.ByteString(bytes(count(argument, 1)));
            case 3 -> new CborValue.Text(text(count(argument, 1)));
            case 4 -> array(count(argument, 1), depth + 1);
            default -> map(count(argument, 2), depth + 1);
        };
    }

    private CborValue simple(int head) throws MalformedException {
        return switch (head) {
            case 0xf4 -> FALSE;
            case 0xf5 -> TRUE;
            case 0xf6 -> NULL;
            case 0xf9, 0xfa, 0xfb -> throw malformed("a floating point number");
            case 0xff -> throw malformed("a break without an indefinite length");
            default -> throw malformed("a simple value other than false, true and null");
        };
    }

    /** Reads the unsigned argument of a head. Refuses it unless it has its shortest form. */
    private long argument(int info) throws MalformedException {
        if (info < 24) {
            return info;
        }
        if (info > 27) {
            throw malformed(info == 31 ? "an indefinite length" : "a reserved CBOR head");
        }
        int width = 1 << (info - 24);
        long value = 0;
        for (int i = 0; i < width; i++) {
            value = value << 8 | octet();
        }
        long smallest = width == 1 ? 24 : 1L << (width * 4);
        if (Long.compareUnsigned(value, smallest) < 0) {
            throw malformed("a number not in its shortest form");
        }
        return value;
    }

    private long signed(long argument) throws MalformedException {
        if (argument < 0) {
            throw malformed("an integer beyond 64 bits");
        }
        return argument;
    }

    /** Returns a count if enough bytes remain, with at least {@code each} bytes per unit. */
    private int count(long argument, int each) throws MalformedException {
        if (Long.compareUnsigned(argument, (input.length - position) / each) > 0) {
            throw malformed("ends in the middle of an item");
        }
        return (int) argument;
    }

    private Bytes bytes(int length) {
        position += length;
        return Bytes.copyOf(Arrays.copyOfRange(input, position - length, position));
    }

    private String text(int length) throws MalformedException {
        try {
            String text = Utf8.decode(input, position, length);
            position += length;
            return text;
        } catch (CharacterCodingException e) {
            throw malformed("text that is not UTF-8");
        }
    }

    private CborValue array(int count, int depth) throws MalformedException {
        enter(depth);
        List<CborValue> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(item(depth));
        }
        return new CborValue.Array(items);
    }

    private CborMap map(int count, int depth) throws MalformedException {
        enter(depth);
        if (count > MAX_ENTRIES) {
            throw malformed("a map of more than " + MAX_ENTRIES + " entries");
        }
        if (count == 0) {
            return EMPTY;
        }
        List<CborValue> keys = new ArrayList<>(count);
        List<CborValue> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            CborValue key = item(depth);
            if (!(key instanceof CborValue.Int
                    || key instanceof CborValue.Text
                    || key instanceof CborValue.ByteString)) {
                throw malformed("a map key that is neither a number nor a string");
            }
            if (keys.contains(key)) {
                throw malformed("a duplicate map key");
            }
            keys.add(key);
            values.add(item(depth));
        }
        return new CborMap(Collections.unmodifiableList(keys), Collections.unmodifiableList(values));
    }

    private void enter(int depth) throws MalformedException {
        if (depth > MAX_DEPTH) {
            throw malformed("nested deeper than " + MAX_DEPTH);
        }
    }

    private int octet() throws MalformedException {
        if (position == input.length) {
            throw malformed("ends in the middle of an item");
        }
        return input[position++] & 0xff;
    }

    private MalformedException malformed(String reason) {
        return new MalformedException(part, reason);
    }
}
