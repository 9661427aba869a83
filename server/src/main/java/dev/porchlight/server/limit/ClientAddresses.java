// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import dev.porchlight.base.IpAddress;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Determines the client address of a request: the peer of the connection, or behind trusted proxies the last address in
 * {@code X-Forwarded-For} that is not a trusted proxy. Immutable.
 *
 * <p>The header is read from right to left, because every proxy appends. Anything left of the first untrusted address is
 * unverified and ignored. A port after an address is ignored.
 */
public final class ClientAddresses {
    private static final int MAX_HOPS = 16;

    /** {@code 192.0.2.1:5678}, {@code [2001:db8::1]:5678} or {@code [2001:db8::1]}, as some proxies send it. */
    private static final Pattern WITH_PORT =
            Pattern.compile("([0-9.]+):[0-9]{1,5}|\\[([0-9a-fA-F:.]+)](?::[0-9]{1,5})?");

    private final List<AddressRange> trusted;

    /** Accepts addresses and CIDR blocks; an {@link IllegalArgumentException} names an invalid one. */
    public ClientAddresses(List<String> trustedProxies) {
        trusted = trustedProxies.stream().map(AddressRange::parse).toList();
    }

    /** Whether any proxy is trusted. */
    public boolean any() {
        return !trusted.isEmpty();
    }

    /** Whether a range has room for clients, each of which could then choose its address. */
    public boolean anyWide() {
        return trusted.stream().anyMatch(AddressRange::isWide);
    }

    /** Whether this peer's forwarding headers are trusted. */
    public boolean trusts(String peer) {
        byte[] address = trusted.isEmpty() ? null : IpAddress.bytes(peer);
        return address != null && trusted.stream().anyMatch(range -> range.contains(address));
    }

    public String clientOf(String peer, @Nullable String forwardedFor) {
        String client = peer;
        if (forwardedFor != null) {
            String[] hops = forwardedFor.split(",", -1);
            int furthest = Math.max(0, hops.length - MAX_HOPS);
            for (int i = hops.length - 1; i >= furthest && trusts(client); i--) {
                String hop = withoutPort(hops[i].strip());
                if (IpAddress.bytes(hop) == null) {
                    return client;
                }
                client = hop;
            }
        }
        return client;
    }

    private static String withoutPort(String hop) {
        Matcher parts = WITH_PORT.matcher(hop);
        return !parts.matches() ? hop : parts.group(1) == null ? parts.group(2) : parts.group(1);
    }
}
