// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.NegotiatingServerConnection;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes connections whose TLS handshake or request headers do not come to an end in time. The idle timeout does not see
 * them: every byte sets it back, so that a client which sends one every few seconds would stay for ever.
 */
final class SlowHeaders extends AbstractLifeCycle implements Connection.Listener {
    private static final long SWEEP_MS = 500;

    private final Scheduler scheduler;
    private final long headerNanos;
    private final long idleNanos;
    private final Map<Connection, Progress> connections = new ConcurrentHashMap<>();

    SlowHeaders(Scheduler scheduler, Duration headerTime, Duration idleTime) {
        this.scheduler = scheduler;
        this.headerNanos = headerTime.toNanos();
        this.idleNanos = idleTime.toNanos();
    }

    @Override
    protected void doStart() {
        sweepLater();
    }

    @Override
    public void onOpened(Connection connection) {
        if (!(connection instanceof SslConnection)) { // what it carries is a connection of its own
            connections.put(connection, new Progress());
        }
    }

    @Override
    public void onClosed(Connection connection) {
        connections.remove(connection);
    }

    /** Tells whether a request of the connection is being handled, during which what comes in is no header. */
    void busy(Connection connection, boolean busy) {
        Progress progress = connections.get(connection);
        if (progress != null) {
            progress.busy = busy;
        }
    }

    private void sweepLater() {
        scheduler.schedule(this::sweep, SWEEP_MS, TimeUnit.MILLISECONDS);
    }

    private void sweep() {
        long now = System.nanoTime();
        connections.forEach((connection, progress) -> judge(connection, progress, now));
        if (isRunning()) {
            sweepLater();
        }
    }

    private void judge(Connection connection, Progress progress, long now) {
        if (connection instanceof HTTP2Connection http2) {
            // Bytes without a request may be pings as well: the client has the time of an idle one, and is told.
            progress.busy = http2.getSession().getStreamCount() > 0;
            if (progress.pendingNanos(connection, now) > idleNanos) {
                http2.getSession().close(ErrorCode.NO_ERROR.code, "idle", Callback.NOOP);
            }
        } else if (connection instanceof NegotiatingServerConnection) {
            if (now - progress.opened > headerNanos) {
                cut(connection, "a TLS handshake came too slowly");
            }
        } else if (progress.pendingNanos(connection, now) > headerNanos) {
            cut(connection, "the headers of a request came too slowly");
        }
    }

    private static void cut(Connection connection, String why) {
        connection.getEndPoint().close(new TimeoutException(why));
    }

    /** What a connection has received. All but {@code busy} belongs to the sweeping thread. */
    private static final class Progress {
        final long opened = System.nanoTime();
        volatile boolean busy;
        private long requests;
        private long bytes;
        private long quietAt = System.nanoTime();

        /** For how long headers have been coming in, as far as sweeps can tell. */
        long pendingNanos(Connection connection, long now) {
            long requestsNow = connection.getMessagesIn();
            long bytesNow = connection.getBytesIn();
            if (busy || requestsNow != requests || bytesNow == bytes) {
                requests = requestsNow;
                bytes = bytesNow;
                quietAt = now;
            }
            return now - quietAt;
        }
    }
}
