// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
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
    /** By what was not finished; a request, when an HTTP/2 connection carries frames and never one. */
    private final Map<String, LongAdder> cutOff =
            Map.of("handshake", new LongAdder(), "headers", new LongAdder(), "request", new LongAdder());

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

    /** How many connections were closed so far, by what was not finished. */
    Map<String, Long> cutOff() {
        return cutOff.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, count -> count.getValue().sum()));
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
                end(http2, progress);
            }
        } else if (connection instanceof NegotiatingServerConnection) {
            if (now - progress.opened > headerNanos) {
                cut(connection, "handshake");
            }
        } else if (progress.pendingNanos(connection, now) > headerNanos) {
            cut(connection, "headers");
        }
    }

    /** Asks the client to go, and if it is still there at the next sweep, goes. */
    private void end(HTTP2Connection http2, Progress progress) {
        if (progress.told) {
            cut(http2, "request");
        } else {
            progress.told = true;
            http2.getSession().close(ErrorCode.NO_ERROR.code, "idle", Callback.NOOP);
        }
    }

    private void cut(Connection connection, String unfinished) {
        Objects.requireNonNull(cutOff.get(unfinished)).increment();
        connections.remove(connection);
        connection
                .getEndPoint()
                .close(new TimeoutException("the client did not finish its " + unfinished + " in time"));
    }

    /** What a connection has received. All but {@code busy} belongs to the sweeping thread. */
    private static final class Progress {
        final long opened = System.nanoTime();
        volatile boolean busy;
        boolean told;
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
