// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** Buffers a response body in memory and fails if it exceeds the limit. */
final class LimitedBody implements BodySubscriber<byte[]> {
    private final int limit;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private @Nullable Subscription subscription;

    LimitedBody(int limit) {
        this.limit = limit;
    }

    static final class TooLarge extends IOException {
        private static final long serialVersionUID = 1;

        TooLarge(int limit) {
            super("the response is larger than " + limit + " bytes");
        }
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Subscription given) {
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        for (ByteBuffer part : parts) {
            if (body.isDone()) {
                return;
            }
            if (part.remaining() > limit - bytes.size()) {
                if (subscription != null) {
                    subscription.cancel();
                }
                body.completeExceptionally(new TooLarge(limit));
                return;
            }
            byte[] copy = new byte[part.remaining()];
            part.get(copy);
            bytes.writeBytes(copy);
        }
    }

    @Override
    public void onError(Throwable error) {
        body.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
        body.complete(bytes.toByteArray());
    }
}
