// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import dev.porchlight.passkey.store.SqlUsers;
import org.jspecify.annotations.Nullable;

/**
 * A captured authenticator response.
 *
 * @param response the JSON that the browser sent
 * @param challenge the challenge of its options, if that was captured too
 * @param userId the user named in the request, if known
 * @param refusal the service's refusal, if stored
 */
public record Capture(
        String response,
        @Nullable String challenge,
        @Nullable String userId,
        @Nullable Refusal refusal) {
    /**
     * A refusal by the service. The challenge is used up, so only this transcript remains.
     *
     * @param traceId 32 hex digits
     */
    public record Refusal(String traceId, ServerOperation operation) {
        /** Whether it was a registration, rather than a login. */
        public boolean registration() {
            return operation.operation() == Operation.FINISH_REGISTRATION;
        }

        /** The step that refused. */
        public StepResult result() {
            return operation.steps().get(operation.steps().size() - 1);
        }

        public boolean passed(Step step) {
            return operation.steps().stream().anyMatch(result -> result.passed() && result.step() == step);
        }
    }

    /**
     * A response that an operator captured.
     *
     * @param options the options of the response, as JSON, or only their challenge
     * @throws MalformedException if there are options and they cannot be read
     */
    public static Capture of(String response, @Nullable String options, @Nullable String userId)
            throws MalformedException {
        return new Capture(response, options == null ? null : challenge(options.strip()), userId, null);
    }

    /** The kept response of a refused ceremony; null if the event was dropped, because the ceremony has too many. */
    static @Nullable Capture of(Ceremony ceremony, String response) {
        ServerOperation operation = ceremony.kept();
        return operation == null
                ? null
                : new Capture(
                        response,
                        null,
                        operation.user().isEmpty() ? null : operation.user(),
                        new Refusal(ceremony.traceId(), operation));
    }

    /** The user whose passkey or user handle is in a response, or null. */
    public static @Nullable String holder(Sql sql, String response) {
        return SqlUsers.holderOf(
                sql,
                base64Url(JsonObject.find(response, "id")),
                base64Url(JsonObject.find(response, "response", "userHandle")));
    }

    /** Strangers choose the text, and PostgreSQL refuses some characters. */
    private static String base64Url(@Nullable String text) {
        return text != null && PasskeyService.isCredentialId(text) ? text : "";
    }

    /** The time of the refusal in milliseconds since 1970; 0 if there is none. */
    public long refusedAt() {
        return refusal == null ? 0 : refusal.operation().request().at();
    }

    /** Omits the response, because this may be logged. */
    @Override
    public String toString() {
        return "Capture[" + response.length() + " characters]";
    }

    private static String challenge(String options) throws MalformedException {
        return options.startsWith("{") ? JsonObject.parse(options, "options").text("challenge") : options;
    }
}
