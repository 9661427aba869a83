// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the addresses of clients. */
public final class IpAddress {
    private static final Pattern LITERAL = Pattern.compile("(?:\\d{1,3}\\.){3}\\d{1,3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private IpAddress() {}

    /** Returns the bytes of an address literal, or null. IPv4-mapped IPv6 addresses become IPv4. Never resolves a name. */
    public static byte @Nullable [] bytes(String literal) {
        if (!LITERAL.matcher(literal).matches()) {
            return null;
        }
        try {
            return InetAddress.getByName(literal).getAddress();
        } catch (UnknownHostException e) {
            return null;
        }
    }

    /**
     * Returns the key by which clients are counted: the IPv4 address, or the /64 of an IPv6 address, which belongs to one
     * customer. Some servers put an IPv6 address into brackets.
     */
    public static String limitKey(String client) {
        byte[] address = bytes(
                client.startsWith("[") && client.endsWith("]") ? client.substring(1, client.length() - 1) : client);
        if (address == null) {
            return client;
        }
        return address.length == 4
                ? "v4 " + HexFormat.of().formatHex(address)
                : "v6 " + HexFormat.of().formatHex(address, 0, 8);
    }
}
