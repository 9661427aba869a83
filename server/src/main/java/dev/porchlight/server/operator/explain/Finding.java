// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.explain;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The explanation of one step.
 *
 * @param expected what passes, or empty
 * @param found what was received, or empty
 * @param detail why it was not checked, or what else is known of a refusal
 */
public record Finding(Step step, State state, String expected, String found, String detail) {
    /** Whether a step was checked, and passed. */
    public enum State {
        PASSED,
        REFUSED,
        /** The value to compare with is unknown. */
        NOT_CHECKED,
        /** An earlier step refused in a way that leaves nothing to check. */
        NOT_REACHED;

        /** The word on the wire. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A line of a transcript; its pass means nothing if there is a reason why it cannot be checked. */
    static Finding of(StepResult result, @Nullable String unchecked) {
        State state = !result.passed() ? State.REFUSED : unchecked == null ? State.PASSED : State.NOT_CHECKED;
        return new Finding(
                result.step(),
                state,
                result.expected(),
                result.found(),
                state == State.NOT_CHECKED && unchecked != null ? unchecked : "");
    }

    /** Both checks of a step that is checked twice: refused if one is, and then with what both found. */
    Finding and(Finding second) {
        if (state != State.REFUSED && second.state != State.REFUSED) {
            return this;
        }
        return new Finding(step, State.REFUSED, expected, found + "; " + second.found, detail);
    }

    /** Writes the members that {@link #read} reads. */
    public void write(JsonWriter json) {
        json.text("step", step.code())
                .text("name", step.label())
                .text("state", state.word())
                .text("expected", expected)
                .text("found", found)
                .text("detail", detail);
    }

    /** Reads what another instance wrote. */
    public static Finding read(JsonObject json) throws MalformedException {
        String code = json.text("step");
        String word = json.text("state");
        Step step = Stream.of(Step.values())
                .filter(one -> one.code().equals(code))
                .findFirst()
                .orElseThrow(() -> json.malformed("step", "not a step of this version"));
        State state = Stream.of(State.values())
                .filter(one -> one.word().equals(word))
                .findFirst()
                .orElseThrow(() -> json.malformed("state", "not a state of this version"));
        return new Finding(step, state, json.text("expected"), json.text("found"), json.text("detail"));
    }
}
