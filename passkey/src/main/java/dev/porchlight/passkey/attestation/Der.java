// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.base.MalformedException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A strict DER cursor, for the certificate extensions and names of section 8.
 *
 * <p>Lengths are definite, minimal and within the input; tags are minimal; nothing is read twice and nothing recurses, so the
 * work is bounded by the input. A tag has its class and form in the high bits and its number in the low bits, because
 * Android's authorization lists have field numbers in the hundreds.
 */
final class Der {
    private static final String PART = "der";
    private static final int CONSTRUCTED = 0x20 << 24;
    private static final int CONTEXT = 0x80 << 24;
    private static final int MAX_TAG_NUMBER = 0x3FFF;
    private static final int MAX_OID_BYTES = 64;

    static final int INTEGER = 2;
    static final int BIT_STRING = 3;
    static final int OCTET_STRING = 4;
    static final int NULL = 5;
    static final int OBJECT_IDENTIFIER = 6;
    static final int ENUMERATED = 10;
    static final int UTF8_STRING = 12;
    static final int PRINTABLE_STRING = 19;
    static final int IA5_STRING = 22;
    static final int SEQUENCE = CONSTRUCTED | 16;
    static final int SET = CONSTRUCTED | 17;

    private final byte[] bytes;
    private final int end;
    private int position;

    private Der(byte[] bytes, int position, int end) {
        this.bytes = bytes;
        this.position = position;
        this.end = end;
    }

    static Der over(byte[] bytes) {
        return new Der(bytes, 0, bytes.length);
    }

    /** Returns a cursor over the content of one sequence, with nothing after it. */
    static Der sequence(byte[] bytes) throws MalformedException {
        Der outer = over(bytes);
        Der content = outer.enter(SEQUENCE);
        outer.finish();
        return content;
    }

    /** The tag of a field written {@code [number] EXPLICIT}. */
    static int explicit(int number) {
        return CONTEXT | CONSTRUCTED | number;
    }

    static boolean isExplicit(int tag) {
        return (tag & 0xE0 << 24) == (CONTEXT | CONSTRUCTED);
    }

    boolean hasNext() {
        return position < end;
    }

    int peek() throws MalformedException {
        int before = position;
        int tag = tag();
        position = before;
        return tag;
    }

    /** Reads the next element, which must have this tag, and returns a cursor over its content. */
    Der enter(int expected) throws MalformedException {
        if (tag() != expected) {
            throw new MalformedException(PART, "an unexpected type");
        }
        return content();
    }

    void skip() throws MalformedException {
        tag();
        content();
    }

    byte[] bytes(int expected) throws MalformedException {
        Der content = enter(expected);
        return Arrays.copyOfRange(bytes, content.position, content.end);
    }

    /** Reads an INTEGER or ENUMERATED of at most 32 bits. */
    int number(int expected) throws MalformedException {
        byte[] content = bytes(expected);
        if (content.length == 0 || content.length > Integer.BYTES) {
            throw new MalformedException(PART, "a number of " + content.length + " bytes");
        }
        boolean padded =
                content.length > 1 && content[0] == (byte) (content[1] >> 7) && (content[0] == 0 || content[0] == -1);
        if (padded) {
            throw new MalformedException(PART, "a number that is not minimal");
        }
        int value = content[0];
        for (int i = 1; i < content.length; i++) {
            value = value << 8 | content[i] & 0xFF;
        }
        return value;
    }

    String oid() throws MalformedException {
        byte[] content = bytes(OBJECT_IDENTIFIER);
        if (content.length == 0 || content.length > MAX_OID_BYTES || content[content.length - 1] < 0) {
            throw new MalformedException(PART, "a truncated or overlong object identifier");
        }
        var dotted = new StringBuilder();
        long arc = 0;
        for (byte b : content) {
            if (arc == 0 && b == (byte) 0x80 || arc > Integer.MAX_VALUE) {
                throw new MalformedException(PART, "an arc that is not minimal or too large");
            }
            arc = arc << 7 | b & 0x7F;
            if (b < 0) {
                continue;
            }
            if (dotted.isEmpty()) {
                long root = Math.min(arc / 40, 2);
                dotted.append(root).append('.').append(arc - root * 40);
            } else {
                dotted.append('.').append(arc);
            }
            arc = 0;
        }
        return dotted.toString();
    }

    /** Reads a UTF-8, printable or IA5 string, the string types of attestation certificates. */
    String text() throws MalformedException {
        int type = peek();
        var charset = type == UTF8_STRING ? StandardCharsets.UTF_8 : StandardCharsets.US_ASCII;
        if (!isText(type)) {
            throw new MalformedException(PART, "not a text type");
        }
        try {
            return charset.newDecoder().decode(ByteBuffer.wrap(bytes(type))).toString();
        } catch (CharacterCodingException e) {
            throw new MalformedException(PART, "text that does not match its string type");
        }
    }

    static boolean isText(int tag) {
        return tag == UTF8_STRING || tag == PRINTABLE_STRING || tag == IA5_STRING;
    }

    void finish() throws MalformedException {
        if (hasNext()) {
            throw new MalformedException(PART, "bytes after the end");
        }
    }

    private int tag() throws MalformedException {
        int first = octet();
        int form = (first & 0xE0) << 24;
        int number = first & 0x1F;
        if (number < 0x1F) {
            return form | number;
        }
        int octet = octet();
        if (octet == 0x80) {
            throw new MalformedException(PART, "a tag that is not minimal");
        }
        number = octet & 0x7F;
        while (octet >= 0x80 && number <= MAX_TAG_NUMBER) {
            octet = octet();
            number = number << 7 | octet & 0x7F;
        }
        if (number < 0x1F || number > MAX_TAG_NUMBER) {
            throw new MalformedException(PART, "a tag that is not minimal or too large");
        }
        return form | number;
    }

    private Der content() throws MalformedException {
        int length = octet();
        if (length >= 0x80) {
            int octets = length & 0x7F;
            if (octets == 0 || octets > 3) {
                throw new MalformedException(PART, "an indefinite or enormous length");
            }
            length = 0;
            for (int i = 0; i < octets; i++) {
                length = length << 8 | octet();
            }
            if (length < 0x80 || length >>> 8 * (octets - 1) == 0) {
                throw new MalformedException(PART, "a length that is not minimal");
            }
        }
        if (length > end - position) {
            throw new MalformedException(PART, "truncated");
        }
        var content = new Der(bytes, position, position + length);
        position += length;
        return content;
    }

    private int octet() throws MalformedException {
        if (position >= end) {
            throw new MalformedException(PART, "truncated");
        }
        return bytes[position++] & 0xFF;
    }
}
