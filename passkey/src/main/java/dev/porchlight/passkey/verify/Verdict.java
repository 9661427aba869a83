// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import java.util.function.Function;

/**
 * What judging came to: something accepted, or the step that refused.
 *
 * @param <T> what is known once all steps have passed
 */
public sealed interface Verdict<T> {
    /** All steps passed. */
    record Accepted<T>(T value) implements Verdict<T> {}

    /**
     * A step refused.
     *
     * @param detail why, in words for a log line; it may hold a short excerpt of what was received, in printable ASCII
     */
    record Refused<T>(Step step, String detail) implements Verdict<T> {}

    /** Goes on judging with what was accepted; a refusal stays what it is. */
    default <U> Verdict<U> then(Function<T, Verdict<U>> next) {
        if (this instanceof Refused<T> refused) {
            return new Refused<>(refused.step(), refused.detail());
        }
        return next.apply(((Accepted<T>) this).value());
    }

    /** Reconsiders a refusal; what was accepted stays what it is. */
    default Verdict<T> ifRefused(Function<Refused<T>, Verdict<T>> next) {
        return this instanceof Refused<T> refused ? next.apply(refused) : this;
    }
}
