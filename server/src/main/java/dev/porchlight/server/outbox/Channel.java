// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.outbox;

import java.util.concurrent.CompletableFuture;

/** Sends messages of one kind. Implementations are thread-safe. */
public interface Channel {
    /**
     * The result of an attempt.
     *
     * @param error a sentence for operators; empty if it was delivered
     * @param permanent whether another attempt would fail too
     */
    record Result(String error, boolean permanent) {
        public static final Result DELIVERED = new Result("", false);

        public boolean delivered() {
            return error.isEmpty();
        }
    }

    Delivery.Kind kind();

    /** Whether messages to this target can be sent now; otherwise they wait. */
    boolean accepts(String target);

    /** The maximum number of concurrent attempts per target. */
    int concurrency();

    /** Sends a message without blocking the caller. A failed future counts as a failure that may pass. */
    CompletableFuture<Result> send(Delivery delivery, String payload);
}
