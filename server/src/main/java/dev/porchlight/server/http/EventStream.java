// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * A streamed response that stays open until either side ends it. It occupies no thread, and a client that does not read is
 * disconnected. Thread-safe.
 */
public final class EventStream {
    /** The bytes that may wait for a slow client, beyond the operating system's buffers. */
    private static final int MAX_PENDING_BYTES = 256 * 1_024;

    private final Response response;
    private final Callback request;
    private final ArrayDeque<byte[]> pending = new ArrayDeque<>();
    private int pendingBytes;
    private boolean writing;
    private boolean ended;
    private Runnable onEnd = () -> {};

    /** Takes over a response whose headers are sent. The thread that handled the request is released. */
    EventStream(Response response, Callback request) {
        this.response = response;
        this.request = request;
    }

    /** Sets an action that runs when either side has ended the stream. */
    public synchronized void onEnd(Runnable action) {
        onEnd = action;
    }

    /** Sends bytes in order, as fast as the client reads them. Does nothing if the stream has ended. */
    public synchronized void send(byte[] bytes) {
        if (ended) {
            return;
        }
        pending.add(bytes);
        pendingBytes += bytes.length;
        if (pendingBytes > MAX_PENDING_BYTES) {
            fail(new TimeoutException("the client does not read its events"));
        } else if (!writing) {
            writeNext();
        }
    }

    /** Ends the stream at once: normally if no write is pending, otherwise by closing the connection. */
    public synchronized void close() {
        if (ended) {
            return;
        }
        if (writing) {
            fail(new TimeoutException("the stream ended before the client had read its events"));
        } else {
            Callback done = end();
            response.write(true, ByteBuffer.allocate(0), done);
        }
    }

    private void writeNext() {
        byte[] next = pending.poll();
        writing = next != null;
        if (next != null) {
            response.write(
                    false,
                    ByteBuffer.wrap(next),
                    Callback.from(
                            Invocable.InvocationType.NON_BLOCKING, () -> written(next.length), this::disconnected));
        }
    }

    private synchronized void written(int bytes) {
        pendingBytes -= bytes;
        if (!ended) {
            writeNext();
        }
    }

    private synchronized void disconnected(Throwable cause) {
        if (!ended) {
            fail(cause);
        }
    }

    private void fail(Throwable cause) {
        end().failed(new Request.Handler.AbortException(cause));
    }

    private Callback end() {
        ended = true;
        pending.clear();
        onEnd.run();
        return request;
    }
}
