// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.nio.channels.SelectableChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.IO;
import org.jspecify.annotations.Nullable;

/** A connection and what is going on on it. HTTP/2 carries several requests at once. Thread-safe. */
final class OpenConnection {
    /** A body or response that takes longer is slow. */
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final SelectableChannel channel;
    private final @Nullable String address;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger working = new AtomicInteger();
    private volatile @Nullable EndPoint end;
    private volatile long since = System.nanoTime();

    /** A connection of an address that has a share, or of none that has. */
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

    void opened(EndPoint endPoint) {
        end = endPoint;
    }

    /** A request's headers are there. */
    void requestBegun() {
        requests.incrementAndGet();
        since = System.nanoTime();
    }

    void requestEnded() {
        requests.decrementAndGet();
        since = System.nanoTime();
    }

    /** The service handles a request: nothing depends on the client now. */
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

    /** Whether this one is closed before another if one of them has to be: idle and slow ones first, then the oldest. */
    boolean goesBefore(OpenConnection other, long now) {
        boolean waits = isIdleOrSlow(now);
        return waits == other.isIdleOrSlow(now) ? since - other.since < 0 : waits;
    }

    private boolean isIdleOrSlow(long now) {
        return requests.get() == 0 || now - since > SLOW_NANOS;
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
