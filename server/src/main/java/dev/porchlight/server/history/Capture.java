// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A captured response.
 *
 * @param response what the browser sent, as JSON
 * @param challenge the challenge of its options, if that was captured too
 * @param userId the user named in the request, if known
 * @param refusal the service's refusal, if the service kept it
 */
public record Capture(
        String response,
        @Nullable String challenge,
        @Nullable String userId,
        @Nullable Refusal refusal) {
    /**
     * A refusal by the service. The challenge is used up, so this is all that is left of what the service knew of it.
     *
     * @param registration whether it was a registration, rather than a login
     * @param transcript the steps up to the one that refused
     */
    public record Refusal(boolean registration, Instant at, List<StepResult> transcript) {
        public Refusal {
            transcript = List.copyOf(transcript);
        }

        /** The step that refused. */
        public StepResult result() {
            return transcript.get(transcript.size() - 1);
        }

        public boolean passed(Step step) {
            return transcript.stream().anyMatch(result -> result.passed() && result.step() == step);
        }
    }

    /**
     * A response that an operator has.
     *
     * @param options the options that the response answers, as JSON, or their challenge alone
     * @throws MalformedException if there are options and they cannot be read
     */
    public static Capture of(String response, @Nullable String options, @Nullable String userId)
            throws MalformedException {
        return new Capture(response, options == null ? null : challenge(options.strip()), userId, null);
    }

    /** Without the response: this may end up in a log line. */
    @Override
    public String toString() {
        return "Capture[" + response.length() + " characters]";
    }

    private static String challenge(String options) throws MalformedException {
        return options.startsWith("{") ? JsonObject.parse(options, "options").text("challenge") : options;
    }
}
