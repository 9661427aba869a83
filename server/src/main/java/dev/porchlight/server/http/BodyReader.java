// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * Reads a request body whole. It is refused as soon as it is known to be too large, and given up when it comes slower than
 * the least rate: a client that sends a byte now and then would otherwise hold a thread for as long as it likes.
 */
final class BodyReader {
    /** What is read for nothing after an answer that did not wait for the body. */
    private static final int DISCARDED_BYTES = 256 * 1_024;

    private static final long DISCARDING_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Request request;
    private final Limits limits;
    private final long startNanos = System.nanoTime();
    private boolean abandoned;

    BodyReader(Request request, Limits limits) {
        this.request = request;
        this.limits = limits;
    }

    byte[] read() throws ProblemException, IOException {
        if (request.getLength() > limits.bodyBytes()) {
            throw new ProblemException(Problem.TOO_LARGE);
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream(Math.max(0, (int) request.getLength()));
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                long left = limits.transferNanos(body.size()) - (System.nanoTime() - startNanos);
                if (!awaitMore(left)) {
                    throw new ProblemException(Problem.TOO_SLOW);
                }
                continue;
            }
            if (Content.Chunk.isFailure(chunk)) {
                throw failure(chunk.getFailure());
            }
            try {
                if (body.size() + chunk.remaining() > limits.bodyBytes()) {
                    throw new ProblemException(Problem.TOO_LARGE);
                }
                BufferUtil.writeTo(chunk.getByteBuffer(), body);
            } finally {
                chunk.release();
            }
            if (chunk.isLast()) {
                return body.toByteArray();
            }
        }
    }

    /**
     * Takes what is left of the body for a moment, after the answer is on its way. A client that is still sending when we
     * close the connection would get a reset, and with it lose the answer that says why.
     */
    void discardRest() throws IOException {
        if (abandoned
                || request.getConnectionMetaData().getHttpVersion()
                        == HttpVersion.HTTP_2 // has resets that say no error
                || request.getHeaders().contains(HttpHeader.EXPECT)) { // waits for us, and would be told to go on
            return;
        }
        long end = System.nanoTime() + DISCARDING_NANOS;
        int discarded = 0;
        while (discarded <= DISCARDED_BYTES) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                if (!awaitMore(end - System.nanoTime())) {
                    return;
                }
                continue;
            }
            discarded += chunk.remaining();
            chunk.release();
            if (chunk.isLast() || Content.Chunk.isFailure(chunk)) {
                return;
            }
        }
    }

    /** Whether more came within the time. If not, nothing more can be asked for. */
    private boolean awaitMore(long nanos) throws IOException {
        CountDownLatch more = new CountDownLatch(1);
        request.demand(new Invocable.ReadyTask(Invocable.InvocationType.NON_BLOCKING, more::countDown));
        try {
            abandoned = !more.await(nanos, TimeUnit.NANOSECONDS);
            return !abandoned;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a body was read");
        }
    }

    private static ProblemException failure(Throwable failure) throws ClientGoneException {
        if (failure instanceof TimeoutException) {
            return new ProblemException(Problem.TOO_SLOW);
        }
        if (failure instanceof HttpException) {
            return new ProblemException(Problem.malformed("The request body is cut short or not well-formed"));
        }
        throw new ClientGoneException(failure);
    }
}
