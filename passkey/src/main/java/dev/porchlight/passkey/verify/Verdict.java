// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import java.util.function.Function;

/**
 * The result of a ceremony: an accepted value, or the step that refused.
 *
 * @param <T> the result of a ceremony that passed
 */
public sealed interface Verdict<T> {
    record Accepted<T>(T value) implements Verdict<T> {}

    record Refused<T>(StepResult result) implements Verdict<T> {}

    /** Creates a refusal outside of the verified steps, such as by the database. */
    static <T> Verdict<T> refused(Step step, String found) {
        return new Refused<>(StepResult.refused(step, found));
    }

    /** Continues with the accepted value; a refusal is returned unchanged. */
    default <U> Verdict<U> then(Function<T, Verdict<U>> next) {
        if (this instanceof Refused<T> refused) {
            return new Refused<>(refused.result());
        }
        return next.apply(((Accepted<T>) this).value());
    }

    /** Handles a refusal; an accepted value is returned unchanged. */
    default Verdict<T> ifRefused(Function<Refused<T>, Verdict<T>> next) {
        return this instanceof Refused<T> refused ? next.apply(refused) : this;
    }
}
