// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import java.util.List;

/** Sends batches of items. Confined to one thread. */
public interface Sender<T> extends AutoCloseable {
    /** Encodes a batch for one or more attempts to send it. Returns false if it is too large for a request. */
    boolean load(List<T> batch);

    /** Sends the loaded batch, giving up after {@code limitNanos}; 0 means no limit. */
    Outcome send(long limitNanos) throws InterruptedException;

    @Override
    default void close() {}

    sealed interface Outcome {
        Outcome ACCEPTED = new Accepted(0, "");

        /** Accepted, except for {@code rejected} items, with the collector's message. */
        record Accepted(long rejected, String message) implements Outcome {}

        record Refused(String reason) implements Outcome {}

        /** Refused temporarily; {@code afterNanos} is the delay that the collector requests, or negative. */
        record Retry(String reason, long afterNanos) implements Outcome {}
    }
}
