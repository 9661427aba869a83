// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.explain;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import dev.porchlight.server.history.Cause;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The explanation of one step.
 *
 * @param expected the expected value, or empty
 * @param found the received value, or empty
 * @param detail why the step was not checked, or more about a refusal: the name of a note; its sentence in the JSON
 * @param cause the cause of a refusal, otherwise null
 */
public record StepExplanation(
        Step step,
        State state,
        String expected,
        String found,
        String detail,
        @Nullable Cause cause) {
    /** The result of a step. */
    public enum State {
        PASSED,
        REFUSED,
        /** The expected value is unknown. */
        NOT_CHECKED,
        /** An earlier step refused in a way that leaves nothing to check. */
        NOT_REACHED;

        /** The code in the console's API. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    StepExplanation(Step step, State state, String expected, String found, String detail) {
        this(step, state, expected, found, detail, state == State.REFUSED ? Cause.of(step) : null);
    }

    /** Explains a line of a transcript. A pass means nothing if the step cannot be checked. */
    static StepExplanation of(StepResult result, @Nullable String unchecked) {
        State state = !result.passed() ? State.REFUSED : unchecked == null ? State.PASSED : State.NOT_CHECKED;
        return new StepExplanation(
                result.step(),
                state,
                result.expected(),
                result.found(),
                state == State.NOT_CHECKED && unchecked != null ? unchecked : "");
    }

    /** Combines the two results of a step that is checked twice: refused if either is. */
    StepExplanation and(StepExplanation second) {
        if (state != State.REFUSED && second.state != State.REFUSED) {
            return this;
        }
        return new StepExplanation(step, State.REFUSED, expected, found + "; " + second.found, detail);
    }

    /**
     * Writes the members that {@link #read} reads, and the cause of a refusal.
     *
     * @param language the language tag of the sentences about the cause
     */
    void write(JsonWriter json, String language) {
        json.text("step", step.code())
                .text("name", step.label())
                .text("state", state.code())
                .text("expected", expected)
                .text("found", found)
                .text("detail", detail.isEmpty() ? "" : Cause.note(detail, language));
        if (cause != null) {
            json.object("cause", cause.in(language)::write);
        }
    }

    /** Reads the JSON that another instance wrote. */
    public static StepExplanation read(JsonObject json) throws MalformedException {
        String code = json.text("step");
        String word = json.text("state");
        Step step = Stream.of(Step.values())
                .filter(one -> one.code().equals(code))
                .findFirst()
                .orElseThrow(() -> json.malformed("step", "unknown step"));
        State state = Stream.of(State.values())
                .filter(one -> one.code().equals(word))
                .findFirst()
                .orElseThrow(() -> json.malformed("state", "unknown state"));
        JsonObject cause = json.optionalObject("cause");
        return new StepExplanation(
                step,
                state,
                json.text("expected"),
                json.text("found"),
                json.text("detail"),
                cause == null ? null : Cause.read(cause));
    }
}
