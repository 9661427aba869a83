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

/** An open connection and its activity. An HTTP/2 connection has several requests at once. Thread-safe. */
final class OpenConnection {
    /** A body or response that takes longer than this is slow. */
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final SelectableChannel channel;
    private final @Nullable String address;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger working = new AtomicInteger();
    private volatile SlowHeaders.@Nullable Progress progress;
    private volatile @Nullable EndPoint end;
    private volatile long since = System.nanoTime();

    /** Creates a connection; {@code address} is null for a trusted proxy. */
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

    /** Records the current protocol of the connection; TLS connections go through several. */
    void opened(Connection connection, EndPoint transport) {
        end = transport;
        progress = connection instanceof SslConnection ? null : new SlowHeaders.Progress(connection);
    }

    /** The progress of handshakes and headers, or null if the connection is being closed because of it. */
    SlowHeaders.@Nullable Progress progress() {
        return progress;
    }

    void forgetProgress() {
        progress = null;
    }

    /** Whether a request is in progress, so that no headers are expected. */
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

    /** Called when the service begins to handle a request and no longer depends on the client. */
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

    /** Whether this connection is closed before another: idle and slow connections first, then the longest inactive. */
    boolean closesBefore(OpenConnection other, long now) {
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
            opened.close(new TimeoutException("the connection was closed to make room for another"));
        }
    }
}
