// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Writes an answer whole, or the beginning of a stream, and closes the connection of a client that takes it slower than the least rate. */
final class AnswerWriter {
    private final Request request;
    private final Response response;
    private final Limits limits;
    private final SlowReaders slowReaders;

    AnswerWriter(Request request, Response response, Limits limits, SlowReaders slowReaders) {
        this.request = request;
        this.response = response;
        this.limits = limits;
        this.slowReaders = slowReaders;
    }

    /** Writes it, and returns its end, which has come unless the client is one of the {@link SlowReaders} that are left. */
    CompletableFuture<Void> write(Answer answer) throws IOException {
        response.setStatus(answer.status());
        HttpFields.Mutable headers = response.getHeaders();
        for (Answer.Header header : answer.headers()) {
            if (header.name().equalsIgnoreCase("Set-Cookie") || header.name().equalsIgnoreCase("Vary")) {
                headers.add(header.name(), header.value());
            } else {
                headers.put(header.name(), header.value()); // in place of what middleware set for every answer
            }
        }
        boolean whole = answer.stream() == null;
        if (whole && !HttpStatus.hasNoBody(answer.status())) {
            headers.put(HttpHeader.CONTENT_LENGTH, answer.body().length);
        }
        Callback.Completable written = new Callback.Completable();
        response.write(whole, ByteBuffer.wrap(answer.body()), written);
        try {
            return slowReaders
                    .await(written, limits.transferNanos(answer.body().length), whole)
                    .whenComplete((taken, failure) -> hangUpIfLate(failure));
        } catch (ExecutionException e) {
            throw new ClientGoneException(e);
        } catch (TimeoutException e) {
            hangUpIfLate(e);
            throw new ClientGoneException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while an answer was written");
        }
    }

    /** On HTTP/2 the stream alone is reset, by whoever learns of it: others on the connection are not to blame. */
    private void hangUpIfLate(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof TimeoutException
                && request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_2) {
            request.getConnectionMetaData().getConnection().getEndPoint().close(cause);
        }
    }
}
