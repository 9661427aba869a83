// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes connections whose request headers do not come to an end in time. The idle timeout does not see them: every byte
 * sets it back, so that a client which sends one every few seconds would stay for ever.
 */
final class SlowHeaders extends AbstractLifeCycle implements Connection.Listener {
    private static final long SWEEP_MS = 500;

    private final Scheduler scheduler;
    private final long patienceNanos;
    private final Map<Connection, Progress> connections = new ConcurrentHashMap<>();

    SlowHeaders(Scheduler scheduler, long patienceNanos) {
        this.scheduler = scheduler;
        this.patienceNanos = patienceNanos;
    }

    @Override
    protected void doStart() {
        sweepLater();
    }

    @Override
    public void onOpened(Connection connection) {
        connections.put(connection, new Progress());
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
        connections.forEach((connection, progress) -> {
            if (progress.pendingNanos(connection, now) > patienceNanos) {
                connection.getEndPoint().close(new TimeoutException("the headers of a request came too slowly"));
            }
        });
        if (isRunning()) {
            sweepLater();
        }
    }

    /** What a connection has received. All but {@code busy} belongs to the sweeping thread. */
    private static final class Progress {
        volatile boolean busy;
        private long requests;
        private long bytes;
        private long since;

        /** For how long headers have been coming in, as far as sweeps can tell; 0 when none are. */
        long pendingNanos(Connection connection, long now) {
            long requestsNow = connection.getMessagesIn();
            long bytesNow = connection.getBytesIn();
            if (busy || requestsNow != requests || bytesNow == bytes) {
                requests = requestsNow;
                bytes = busy || requestsNow != 0 ? bytesNow : 0;
                since = now;
            }
            return now - since;
        }
    }
}
