// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.base.IpAddress;
import dev.porchlight.server.limit.ClientAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.util.IO;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one listener. All connections have a limit, and each client address has a share of it. An IPv6 /64 counts
 * as one address; trusted proxies have no share because they connect for many clients.
 *
 * <p>A new connection beyond a limit replaces another: one of the same address if its share is used up, otherwise one of the
 * address that has most. Connections that are idle, or whose client sends or reads slowly, are closed first, then those
 * inactive longest. Connections with a request being handled stay. If none can be closed, the new connection is closed.
 * Thread-safe.
 */
final class ConnectionShares implements SelectorManager.AcceptListener, Connection.Listener {
    private final int max;
    private final int perAddress;
    private final ClientAddresses clients;
    private final Map<SelectableChannel, OpenConnection> open = new ConcurrentHashMap<>();
    /** By address, guarded by this object. */
    private final Map<String, Set<OpenConnection>> addresses = new HashMap<>();

    private final LongAdder evicted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    /** All connections, including those of trusted proxies. */
    private int count;

    ConnectionShares(int max, int perAddress, ClientAddresses clients) {
        this.max = max;
        this.perAddress = perAddress;
        this.clients = clients;
    }

    void forEach(Consumer<OpenConnection> action) {
        open.values().forEach(action);
    }

    /** The number of open connections. */
    synchronized int count() {
        return count;
    }

    /** The number of connections of the address that has most. */
    synchronized int largestCount() {
        return addresses.values().stream().mapToInt(Set::size).max().orElse(0);
    }

    /** The number of connections closed so far to make room for others. */
    long evicted() {
        return evicted.sum();
    }

    /** The number of new connections closed so far because no other could be. */
    long refused() {
        return refused.sum();
    }

    @Override
    public void onAccepting(SelectableChannel channel) {
        String peer = address(channel);
        if (peer == null) {
            return; // already closed
        }
        OpenConnection added = new OpenConnection(channel, clients.trusts(peer) ? null : IpAddress.limitKey(peer));
        OpenConnection victim = null;
        boolean room = true;
        synchronized (this) {
            Set<OpenConnection> own =
                    added.address() == null ? Set.of() : addresses.getOrDefault(added.address(), Set.of());
            if (own.size() >= perAddress) {
                victim = weakest(own);
                room = victim != null;
            } else if (count >= max) {
                victim = weakestOfLargest();
                room = victim != null;
            }
            if (victim != null) {
                remove(victim);
            }
            if (room) {
                add(added);
            }
        }
        if (victim != null) {
            evicted.increment();
            victim.close();
        }
        if (!room) {
            refused.increment();
            IO.close(channel);
        }
    }

    @Override
    public void onAcceptFailed(SelectableChannel channel, Throwable cause) {
        onClosed(channel);
    }

    @Override
    public void onOpened(Connection connection) {
        of(connection).opened(connection, transportOf(connection.getEndPoint()));
    }

    @Override
    public void onClosed(SelectableChannel channel) {
        OpenConnection gone = open.get(channel);
        if (gone != null) {
            synchronized (this) {
                remove(gone);
            }
        }
    }

    /** Returns the state of a connection; of one that has just been closed, a state that no other code sees. */
    OpenConnection of(Connection connection) {
        SocketChannel channel =
                (SocketChannel) transportOf(connection.getEndPoint()).getTransport();
        OpenConnection known = open.get(channel);
        return known == null ? new OpenConnection(channel, null) : known;
    }

    private static EndPoint transportOf(EndPoint end) {
        return end instanceof SslConnection.SslEndPoint tls
                ? tls.getSslConnection().getEndPoint()
                : end;
    }

    private void add(OpenConnection connection) {
        open.put(connection.channel(), connection);
        count++;
        if (connection.address() != null) {
            addresses
                    .computeIfAbsent(connection.address(), unused -> new HashSet<>())
                    .add(connection);
        }
    }

    private void remove(OpenConnection connection) {
        if (!open.remove(connection.channel(), connection)) {
            return;
        }
        count--;
        if (connection.address() != null) {
            addresses.computeIfPresent(connection.address(), (address, all) -> {
                all.remove(connection);
                return all.isEmpty() ? null : all;
            });
        }
    }

    /** Returns the connection to close of the address that has most, or of the next one if all of those handle requests. */
    private @Nullable OpenConnection weakestOfLargest() {
        if (addresses.isEmpty()) {
            return null;
        }
        Comparator<Set<OpenConnection>> bySize = Comparator.comparingInt(Set::size);
        OpenConnection weakest = weakest(Collections.max(addresses.values(), bySize));
        if (weakest != null) {
            return weakest;
        }
        for (Set<OpenConnection> next :
                addresses.values().stream().sorted(bySize.reversed()).toList()) {
            weakest = weakest(next);
            if (weakest != null) {
                return weakest;
            }
        }
        return null;
    }

    /** Returns the connection to close first, or null if all handle requests. */
    private static @Nullable OpenConnection weakest(Set<OpenConnection> connections) {
        long now = System.nanoTime();
        OpenConnection weakest = null;
        for (OpenConnection each : connections) {
            if (!each.working() && (weakest == null || each.closesBefore(weakest, now))) {
                weakest = each;
            }
        }
        return weakest;
    }

    private static @Nullable String address(SelectableChannel channel) {
        try {
            return channel instanceof SocketChannel socket
                            && socket.getRemoteAddress() instanceof InetSocketAddress remote
                            && remote.getAddress() != null
                    ? withoutZone(remote.getAddress().getHostAddress())
                    : null;
        } catch (IOException gone) {
            return null;
        }
    }

    private static String withoutZone(String address) {
        int zone = address.indexOf('%');
        return zone < 0 ? address : address.substring(0, zone);
    }
}
