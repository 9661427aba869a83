// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Buffers the request body before the request is dispatched, so that a slow client occupies neither a thread nor a slot among
 * the requests being handled. A body that is too large or slower than the minimum rate is refused.
 */
final class BodyReader {
    /** The number of bytes read and discarded after a response that did not need the body. */
    private static final int DISCARDED_BYTES = 256 * 1_024;

    private static final long DISCARDING_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Request request;
    private final Supplier<@Nullable String> address;
    private final Limits limits;
    private final BodyBudget budget;
    private final Executor executor;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private boolean complete;
    private boolean skipped;
    /** Nothing more can be read: the body is complete or broken, or reading it timed out. */
    private boolean over;

    private @Nullable Problem problem;
    private @Nullable Throwable gone;

    /**
     * Creates a reader of one request's body.
     *
     * @param address returns the client address whose share the body uses, or null for a trusted proxy
     */
    BodyReader(
            Request request, Supplier<@Nullable String> address, Limits limits, BodyBudget budget, Executor executor) {
        this.request = request;
        this.address = address;
        this.limits = limits;
        this.budget = budget;
        this.executor = executor;
    }

    /** Runs {@code arrived} when the body is complete or has failed, or {@code evicted} if it was evicted. */
    void arrive(Runnable arrived, Runnable evicted) {
        if (request.getLength() > limits.bodyBytes()) {
            problem = Problem.TOO_LARGE;
            arrived.run();
        } else {
            new Buffering(arrived, evicted).begin();
        }
    }

    /** Skips the body, because it is not used or the request is refused anyway. */
    void skip() {
        skipped = true;
        problem = Problem.NOT_JSON;
    }

    /** Whether the body was awaited and did not arrive completely. */
    boolean unfinished() {
        return !complete && !skipped;
    }

    byte[] read() throws ProblemException, ResponseWriter.ClientGoneException {
        if (gone != null) {
            throw new ResponseWriter.ClientGoneException(gone);
        }
        if (problem != null) {
            throw new ProblemException(problem);
        }
        return body.toByteArray();
    }

    /**
     * Reads the rest of the body for a moment, once the response is on its way. Closing the connection while the client is
     * still sending would reset it, and the client would lose the response.
     */
    void discardRest(Runnable then) {
        if (over
                || request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_2 // resets without an error
                || request.getHeaders().contains(HttpHeader.EXPECT)) { // reading would ask the client to continue
            then.run();
        } else {
            new Discarding(then).begin();
        }
    }

    private final class Buffering extends ContentReader implements BodyBudget.Holder {
        private final Runnable arrived;
        private final Runnable evicted;
        private final long startNanos = System.nanoTime();
        private long headerBytes;
        private @Nullable String client;
        private boolean held;

        Buffering(Runnable arrived, Runnable evicted) {
            super(request, executor);
            this.arrived = arrived;
            this.evicted = evicted;
        }

        @Override
        public @Nullable String address() {
            return client;
        }

        @Override
        public void evict() {
            cancel();
        }

        @Override
        boolean accept(Content.Chunk chunk) {
            if (Content.Chunk.isFailure(chunk)) {
                over = true;
                fail(chunk.getFailure());
                return false;
            }
            over = chunk.isLast();
            if (body.size() + chunk.remaining() > limits.bodyBytes()) {
                problem = Problem.TOO_LARGE;
                return false;
            }
            byte[] piece = new byte[chunk.remaining()];
            chunk.getByteBuffer().get(piece);
            body.writeBytes(piece);
            complete = chunk.isLast();
            return !complete;
        }

        @Override
        long timeoutNanos() {
            if (!held) {
                held = true;
                client = address.get();
                headerBytes = headerBytes();
            }
            // The buffer doubles as it grows.
            budget.hold(this, BodyBudget.REQUEST_BYTES + headerBytes + 2L * body.size());
            return canceled() ? 0 : limits.transferNanos(body.size()) - (System.nanoTime() - startNanos);
        }

        @Override
        void end(boolean inTime) {
            if (held) {
                budget.release(this);
            }
            if (inTime) {
                arrived.run();
                return;
            }
            over = true;
            if (canceled()) {
                evicted.run();
            } else {
                problem = Problem.TOO_SLOW;
                arrived.run();
            }
        }

        /** HTTP/2 keeps the headers of every stream. */
        private long headerBytes() {
            long bytes = 0;
            for (HttpField field : request.getHeaders()) {
                String value = field.getValue();
                bytes += field.getName().length() + (value == null ? 0 : value.length());
            }
            return bytes;
        }

        private void fail(Throwable failure) {
            if (failure instanceof TimeoutException) {
                problem = Problem.TOO_SLOW;
            } else if (failure instanceof HttpException) {
                problem = Problem.malformed("The request body is truncated or malformed.");
            } else {
                gone = failure;
            }
        }
    }

    private final class Discarding extends ContentReader {
        private final Runnable then;
        private final long endNanos = System.nanoTime() + DISCARDING_NANOS;
        private int discarded;

        Discarding(Runnable then) {
            super(request, executor);
            this.then = then;
        }

        @Override
        boolean accept(Content.Chunk chunk) {
            discarded += chunk.remaining();
            return !chunk.isLast() && !Content.Chunk.isFailure(chunk) && discarded <= DISCARDED_BYTES;
        }

        @Override
        long timeoutNanos() {
            return endNanos - System.nanoTime();
        }

        @Override
        void end(boolean complete) {
            then.run();
        }
    }
}
