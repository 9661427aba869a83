// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.NegotiatingServerConnection;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes connections whose TLS handshake or request headers are not complete in time. The idle timeout is not enough: every
 * byte resets it, so a client that sends one every few seconds would stay connected forever.
 */
final class SlowHeaders extends AbstractLifeCycle {
    private static final long SWEEP_MS = 500;

    private final Scheduler scheduler;
    private final long headerNanos;
    private final long idleNanos;
    private final Collection<ConnectionShares> listeners;
    /** By the unfinished part: "request" is an HTTP/2 connection that sends frames but no request. */
    private final Map<String, LongAdder> cutOff =
            Map.of("handshake", new LongAdder(), "headers", new LongAdder(), "request", new LongAdder());

    /** Creates a check of the connections of all listeners. */
    SlowHeaders(Scheduler scheduler, Limits.Timeouts timeouts, Collection<ConnectionShares> listeners) {
        this.scheduler = scheduler;
        this.headerNanos = timeouts.headers().toNanos();
        this.idleNanos = timeouts.idle().toNanos();
        this.listeners = listeners;
    }

    @Override
    protected void doStart() {
        sweepLater();
    }

    /** The number of connections closed so far, by the unfinished part. */
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
        listeners.forEach(listener -> listener.forEach(open -> {
            Progress progress = open.progress();
            if (progress != null) {
                check(open, progress, now);
            }
        }));
        if (isRunning()) {
            sweepLater();
        }
    }

    private void check(OpenConnection open, Progress progress, long now) {
        Connection connection = progress.connection;
        if (connection instanceof HTTP2Connection http2) {
            // Bytes without a request may be pings, so the client has the idle timeout and gets a warning.
            boolean busy = http2.getSession().getStreamCount() > 0;
            if (progress.pendingNanos(busy, now) > idleNanos) {
                end(open, http2, progress);
            }
        } else if (connection instanceof NegotiatingServerConnection) {
            if (now - progress.opened > headerNanos) {
                cut(open, connection, "handshake");
            }
        } else if (progress.pendingNanos(open.busy(), now) > headerNanos) {
            cut(open, connection, "headers");
        }
    }

    /** Asks the client to close the connection, and closes it if it is still open at the next sweep. */
    private void end(OpenConnection open, HTTP2Connection http2, Progress progress) {
        if (progress.warned) {
            cut(open, http2, "request");
        } else {
            progress.warned = true;
            http2.getSession().close(ErrorCode.NO_ERROR.code, "idle", Callback.NOOP);
        }
    }

    private void cut(OpenConnection open, Connection connection, String unfinished) {
        Objects.requireNonNull(cutOff.get(unfinished)).increment();
        open.forgetProgress();
        connection
                .getEndPoint()
                .close(new TimeoutException("the client did not finish its " + unfinished + " in time"));
    }

    /** The bytes and requests that a connection has received. Confined to the sweeping thread. */
    static final class Progress {
        private final Connection connection;
        private final long opened = System.nanoTime();
        private boolean warned;
        private long requests;
        private long bytes;
        private long quietAt = opened;

        Progress(Connection connection) {
            this.connection = connection;
        }

        /** How long headers have been arriving, as observed by sweeps; 0 while a request is handled. */
        long pendingNanos(boolean busy, long now) {
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
