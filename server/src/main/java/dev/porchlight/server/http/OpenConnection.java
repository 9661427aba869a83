// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.nio.channels.SelectableChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.util.IO;
import org.jspecify.annotations.Nullable;

/** An open connection and its activity. HTTP/2 carries several requests at once. Thread-safe. */
final class OpenConnection {
    /** A body or response that takes longer is slow. */
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final SelectableChannel channel;
    private final @Nullable String address;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger working = new AtomicInteger();
    private volatile SlowHeaders.@Nullable Progress progress;
    private volatile @Nullable EndPoint end;
    private volatile long since = System.nanoTime();

    /** A connection from an address that has a share, or from a trusted proxy without an address. */
    OpenConnection(SelectableChannel channel, @Nullable String address) {
        this.channel = channel;
        this.address = address;
    }

    SelectableChannel channel() {
        return channel;
    }

    @Nullable
    String address() {
        return address;
    }

    /** Records the protocol that the connection speaks now; TLS connections go through several. */
    void opened(Connection connection, EndPoint transport) {
        end = transport;
        progress = connection instanceof SslConnection ? null : new SlowHeaders.Progress(connection);
    }

    /** What has been received of handshakes and headers, unless the connection is being closed for that. */
    SlowHeaders.@Nullable Progress progress() {
        return progress;
    }

    void forgetProgress() {
        progress = null;
    }

    /** Whether a request is in progress, during which no headers are due. */
    boolean busy() {
        return requests.get() > 0;
    }

    /** Called when a request's headers are complete. */
    void requestBegun() {
        requests.incrementAndGet();
        since = System.nanoTime();
    }

    void requestEnded() {
        requests.decrementAndGet();
        since = System.nanoTime();
    }

    /** Called when the service handles a request: nothing depends on the client now. */
    void workBegun() {
        working.incrementAndGet();
    }

    void workEnded() {
        working.decrementAndGet();
        since = System.nanoTime();
    }

    boolean working() {
        return working.get() > 0;
    }

    /** Whether this connection is closed before another: idle and slow ones first, then the longest inactive. */
    boolean goesBefore(OpenConnection other, long now) {
        boolean waits = isIdleOrSlow(now);
        return waits == other.isIdleOrSlow(now) ? since - other.since < 0 : waits;
    }

    private boolean isIdleOrSlow(long now) {
        return !busy() || now - since > SLOW_NANOS;
    }

    void close() {
        EndPoint opened = end;
        if (opened == null) {
            IO.close(channel);
        } else {
            opened.close(new TimeoutException("the connection's place was needed for another"));
        }
    }
}
