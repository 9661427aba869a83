// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Writes responses, and closes the connections of clients that read slower than the minimum rate. Thread-safe.
 *
 * <p>Threads wait for a limited number of slow clients, so that logs and metrics record how the response ended. All other slow
 * clients are detached: their responses are written without a thread and count as received. Otherwise clients that do not
 * read would occupy every thread.
 */
final class ResponseWriter {
    private static final int MAX_DETACHED = 1_024;

    private final Limits limits;
    private final Semaphore awaited;
    private final Semaphore detached = new Semaphore(MAX_DETACHED);

    /** The client closed the connection, or the service did because the client read too slowly. */
    static final class ClientGoneException extends IOException {
        private static final long serialVersionUID = 1L;

        ClientGoneException(Throwable cause) {
            super("the client disconnected", cause);
        }
    }

    ResponseWriter(Limits limits) {
        this.limits = limits;
        this.awaited = new Semaphore(limits.awaitedReaders());
    }

    /** Writes a whole response or the start of a stream. The returned future is incomplete only if the client is detached. */
    CompletableFuture<Void> write(Request request, org.eclipse.jetty.server.Response out, Response response)
            throws IOException {
        out.setStatus(response.status());
        HttpFields.Mutable headers = out.getHeaders();
        for (Response.Header header : response.headers()) {
            if (header.name().equalsIgnoreCase("Set-Cookie") || header.name().equalsIgnoreCase("Vary")) {
                headers.add(header.name(), header.value());
            } else {
                headers.put(header.name(), header.value()); // replaces the default from middleware
            }
        }
        boolean whole = response.stream() == null;
        if (whole && !HttpStatus.hasNoBody(response.status())) {
            headers.put(HttpHeader.CONTENT_LENGTH, response.body().length);
        }
        Callback.Completable written = new Callback.Completable();
        out.write(whole, ByteBuffer.wrap(response.body()), written);
        try {
            return await(written, limits.transferNanos(response.body().length), whole)
                    .whenComplete((done, failure) -> closeIfLate(request, failure));
        } catch (ExecutionException e) {
            throw new ClientGoneException(e);
        } catch (TimeoutException e) {
            closeIfLate(request, e);
            throw new ClientGoneException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while writing a response");
        }
    }

    private CompletableFuture<Void> await(Callback.Completable written, long nanos, boolean detachable)
            throws TimeoutException, ExecutionException, InterruptedException {
        if (written.isDone()) {
            written.get();
            return written;
        }
        boolean waits = awaited.tryAcquire();
        if (!waits && detachable) {
            if (!detached.tryAcquire()) {
                throw new TimeoutException("too many clients do not read their responses");
            }
            return written.orTimeout(nanos, TimeUnit.NANOSECONDS).whenComplete((done, failure) -> detached.release());
        }
        try {
            written.get(nanos, TimeUnit.NANOSECONDS);
            return written;
        } finally {
            if (waits) {
                awaited.release();
            }
        }
    }

    /** On HTTP/2 the caller resets only the stream, because other requests on the connection are not affected. */
    private static void closeIfLate(Request request, @Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof TimeoutException
                && request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_2) {
            request.getConnectionMetaData().getConnection().getEndPoint().close(cause);
        }
    }
}
