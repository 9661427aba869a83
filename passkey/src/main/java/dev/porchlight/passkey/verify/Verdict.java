// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import java.util.function.Function;

/**
 * The result of a ceremony: an accepted value, or the step that refused.
 *
 * @param <T> what is known once all steps have passed
 */
public sealed interface Verdict<T> {
    /** All steps passed. */
    record Accepted<T>(T value) implements Verdict<T> {}

    /** A step refused. */
    record Refused<T>(StepResult result) implements Verdict<T> {}

    /** A refusal outside of a ceremony's own steps, such as by the database. */
    static <T> Verdict<T> refused(Step step, String found) {
        return new Refused<>(StepResult.refused(step, found));
    }

    /** Goes on judging with what was accepted; a refusal stays what it is. */
    default <U> Verdict<U> then(Function<T, Verdict<U>> next) {
        if (this instanceof Refused<T> refused) {
            return new Refused<>(refused.result());
        }
        return next.apply(((Accepted<T>) this).value());
    }

    /** Reconsiders a refusal; what was accepted stays what it is. */
    default Verdict<T> ifRefused(Function<Refused<T>, Verdict<T>> next) {
        return this instanceof Refused<T> refused ? next.apply(refused) : this;
    }
}
