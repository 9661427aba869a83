// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.explain;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.verify.Step;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What became of one step.
 *
 * @param detail why it refused, or was not checked; empty if it passed or was not reached
 * @param compared what would have passed, and what there was
 */
public record Finding(Step step, State state, String detail, Comparison compared) {
    /** Whether a step was checked, and passed. */
    public enum State {
        PASSED,
        REFUSED,
        /** It passed, for want of what would have to be compared. */
        NOT_CHECKED,
        /** A step before it refused in a way that leaves nothing to judge. */
        NOT_REACHED;

        /** The word on the wire. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Writes the members by which {@link #read} knows it again. */
    public void write(JsonWriter json) {
        json.text("step", step.code())
                .text("state", state.word())
                .text("expected", compared.expected())
                .text("found", compared.found())
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
        return new Finding(step, state, json.text("detail"), new Comparison(json.text("expected"), json.text("found")));
    }
}
