// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import dev.porchlight.base.IpAddress;

/** An IP address, or a block of them in CIDR notation. Immutable; equality is identity. */
final class AddressRange {
    private final byte[] network;
    private final int prefix;

    private AddressRange(byte[] network, int prefix) {
        this.network = network;
        this.prefix = prefix;
    }

    /** Parses an IPv4 or IPv6 address or CIDR block, or throws an {@link IllegalArgumentException} that names the fault. */
    static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        byte[] network = IpAddress.bytes(slash < 0 ? text : text.substring(0, slash));
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
}
