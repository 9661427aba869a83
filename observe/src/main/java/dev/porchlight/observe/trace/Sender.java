// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.List;

/** Sends batches of spans somewhere. Used by one thread. */
interface Sender extends AutoCloseable {
    /** Encodes a batch, to be sent as often as it takes; false when it is larger than a request may be. */
    boolean load(List<Span> batch);

    /** Sends what was loaded, giving up after {@code limitNanos}; 0 is no limit. */
    Outcome send(long limitNanos) throws InterruptedException;

    @Override
    default void close() {}

    /** The result of one request. */
    sealed interface Outcome {
        Outcome ACCEPTED = new Accepted(0, "");

        /** Accepted, except for {@code rejected} spans, with the collector's message. */
        record Accepted(long rejected, String message) implements Outcome {}

        /** Refused for good. */
        record Refused(String reason) implements Outcome {}

        /** Not accepted this time; {@code afterNanos} is the delay the collector asks for, or negative. */
        record Retry(String reason, long afterNanos) implements Outcome {}
    }
}
