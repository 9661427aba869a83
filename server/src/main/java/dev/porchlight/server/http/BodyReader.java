// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * Reads a request body whole. It is refused as soon as it is known to be too large, and given up when it comes slower than
 * the least rate: a client that sends a byte now and then would otherwise hold a thread for as long as it likes.
 */
final class BodyReader {
    private final Request request;
    private final Limits limits;
    private final long startNanos = System.nanoTime();

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
                await(body.size());
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

    private void await(int received) throws ProblemException, IOException {
        CountDownLatch more = new CountDownLatch(1);
        request.demand(new Invocable.ReadyTask(Invocable.InvocationType.NON_BLOCKING, more::countDown));
        long left = limits.transferNanos(received) - (System.nanoTime() - startNanos);
        try {
            if (!more.await(left, TimeUnit.NANOSECONDS)) {
                throw new ProblemException(Problem.TOO_SLOW);
            }
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
