// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.wire;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Deque;

/** A DER encoder. Each method returns the octets of one element. */
public final class Der {
    private static final DateTimeFormatter UTC_TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private Der() {}

    public static byte[] element(int tag, byte[]... contents) {
        byte[] content = Octets.join(contents);
        int length = content.length;
        byte[] head = length < 0x80
                ? Octets.of(length)
                : length < 0x100 ? Octets.of(0x81, length) : Octets.of(0x82, length >> 8, length);
        return Octets.join(Octets.of(tag), head, content);
    }

    public static byte[] sequence(byte[]... elements) {
        return element(0x30, elements);
    }

    public static byte[] set(byte[]... elements) {
        return element(0x31, elements);
    }

    /** Encodes an explicit context tag around an element. Numbers above 30 have the long form. */
    public static byte[] tagged(int number, byte[] element) {
        if (number < 31) {
            return element(0xa0 | number, element);
        }
        byte[] body = element(0, element);
        return Octets.join(Octets.of(0xbf), base128(number), Octets.tail(body, 1));
    }

    public static byte[] integer(BigInteger value) {
        return element(0x02, value.toByteArray());
    }

    public static byte[] integer(long value) {
        return integer(BigInteger.valueOf(value));
    }

    public static byte[] enumerated(int value) {
        return element(0x0a, Octets.of(value));
    }

    public static byte[] bool(boolean value) {
        return element(0x01, Octets.of(value ? 0xff : 0));
    }

    public static byte[] none() {
        return element(0x05);
    }

    public static byte[] octets(byte[] content) {
        return element(0x04, content);
    }

    /** Encodes a bit string of whole octets. */
    public static byte[] bits(byte[] content) {
        return element(0x03, Octets.of(0), content);
    }

    public static byte[] utf8(String text) {
        return element(0x0c, Octets.utf8(text));
    }

    public static byte[] printable(String text) {
        return element(0x13, text.getBytes(StandardCharsets.US_ASCII));
    }

    public static byte[] utcTime(Instant time) {
        return element(0x17, UTC_TIME.format(time).getBytes(StandardCharsets.US_ASCII));
    }

    public static byte[] oid(String dotted) {
        String[] arcs = dotted.split("\\.", -1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(40 * Integer.parseInt(arcs[0]) + Integer.parseInt(arcs[1]));
        for (int i = 2; i < arcs.length; i++) {
            out.writeBytes(base128(Integer.parseInt(arcs[i])));
        }
        return element(0x06, out.toByteArray());
    }

    private static byte[] base128(int value) {
        Deque<Integer> groups = new ArrayDeque<>();
        groups.push(value & 0x7f);
        for (int rest = value >>> 7; rest > 0; rest >>>= 7) {
            groups.push(rest & 0x7f | 0x80);
        }
        return Octets.of(groups.stream().mapToInt(Integer::intValue).toArray());
    }
}
