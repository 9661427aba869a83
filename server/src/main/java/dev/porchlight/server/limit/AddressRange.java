// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An IP address, or a block of them in CIDR notation. Immutable; equality is identity. */
final class AddressRange {
    private static final Pattern LITERAL = Pattern.compile("(?:\\d{1,3}\\.){3}\\d{1,3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private final byte[] network;
    private final int prefix;

    private AddressRange(byte[] network, int prefix) {
        this.network = network;
        this.prefix = prefix;
    }

    /** Parses an IPv4 or IPv6 address or CIDR block, or throws an {@link IllegalArgumentException} that names the fault. */
    static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        byte[] network = bytes(slash < 0 ? text : text.substring(0, slash));
        if (network == null) {
            throw new IllegalArgumentException("\"" + text + "\" is not an IP address or a block such as 10.0.0.0/8");
        }
        int bits = network.length * 8;
        String digits = slash < 0 ? Integer.toString(bits) : text.substring(slash + 1);
        if (!digits.matches("\\d{1,3}") || Integer.parseInt(digits) > bits) {
            throw new IllegalArgumentException("\"" + text + "\": the prefix length must be 0 to " + bits);
        }
        return new AddressRange(network, Integer.parseInt(digits));
    }

    /** Whether clients may have addresses of this range too: it is wider than a subnet, and routed. */
    boolean isWide() {
        boolean linkLocal = network.length == 4 && network[0] == (byte) 169 && network[1] == (byte) 254 && prefix >= 16;
        boolean loopback = network.length == 4 && network[0] == 127 && prefix >= 8;
        return !linkLocal && !loopback && prefix < (network.length == 4 ? 28 : 120);
    }

    boolean contains(byte[] address) {
        if (address.length != network.length) {
            return false;
        }
        for (int bit = 0; bit < prefix; bit++) {
            int mask = 0x80 >> (bit & 7);
            if (((address[bit >> 3] ^ network[bit >> 3]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the bytes of an address literal, or null. IPv4-mapped IPv6 addresses become IPv4. Never resolves a name. */
    static byte @Nullable [] bytes(String literal) {
        if (!LITERAL.matcher(literal).matches()) {
            return null;
        }
        try {
            return InetAddress.getByName(literal).getAddress();
        } catch (UnknownHostException e) {
            return null;
        }
    }
}
