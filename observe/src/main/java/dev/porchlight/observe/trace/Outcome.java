// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

/** What came of one request. */
sealed interface Outcome {
    /** Taken, except for {@code rejected} spans, with what the collector says about it. */
    record Accepted(long rejected, String message) implements Outcome {}

    /** Refused for good. */
    record Refused(String reason) implements Outcome {}

    /** Not taken this time; {@code afterNanos} is how long the collector asks to be left alone, or negative. */
    record Retry(String reason, long afterNanos) implements Outcome {}

    Outcome ACCEPTED = new Accepted(0, "");
}
