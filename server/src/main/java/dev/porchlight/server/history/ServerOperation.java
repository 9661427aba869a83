// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import dev.porchlight.server.history.CeremonyEvent.Request;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An operation of the server for one request.
 *
 * @param outcome {@code ok}, {@code refused} or {@code failed}
 * @param reason the code of the step that refused, or of another refusal, or empty
 * @param detail the reason, in words for a log line
 * @param user the user, if known
 * @param credential the first characters of the passkey's id
 * @param steps the transcript
 * @param kept whether the refused response was kept
 */
public record ServerOperation(
        Request request,
        Operation operation,
        long nanos,
        String outcome,
        String reason,
        String detail,
        String user,
        String credential,
        List<StepResult> steps,
        boolean kept)
        implements CeremonyEvent {
    private static final String INVALID_NAME = "invalid_user_id";

    /** Begins the reasons of recovery codes that were refused. */
    private static final String RECOVERY = "recovery_";

    /** The outcome of an operation that the service refused. */
    public static final String REFUSED = "refused";

    private static final int MAX_DETAIL = 400;
    private static final int MAX_USER = 256;

    public ServerOperation {
        detail = EventTexts.cut(detail, MAX_DETAIL);
        user = EventTexts.cut(user, MAX_USER);
        steps = List.copyOf(steps);
    }

    @Override
    public boolean succeeded() {
        return outcome.equals("ok");
    }

    @Override
    public @Nullable Cause cause() {
        if (succeeded()) {
            return null;
        }
        if (reason.equals(Step.CHALLENGE_KNOWN.code()) && expected().isEmpty()) {
            return Cause.ofService("challenge_used"); // the database refused it
        }
        if (reason.equals(Step.CREDENTIAL_KNOWN.code()) && operation == Operation.FINISH_REGISTRATION) {
            return Cause.ofUser("sign_in_ended");
        }
        if (reason.equals(INVALID_NAME) && operation == Operation.START_REGISTRATION) {
            return Cause.ofSignUp(INVALID_NAME);
        }
        return switch (reason) {
            case "" -> Cause.ofService("failed");
            case "user_exists" -> Cause.of(BrowserOutcome.EXISTS);
            case "signup_closed" -> Cause.of(BrowserOutcome.CLOSED);
            default ->
                Stream.of(Step.values())
                        .filter(step -> step.code().equals(reason))
                        .findFirst()
                        .map(Cause::of)
                        .orElseGet(() -> Cause.ofService(reason));
        };
    }

    @Override
    public String expected() {
        StepResult refused = refused();
        return refused == null ? "" : refused.expected();
    }

    @Override
    public String found() {
        StepResult refused = refused();
        boolean beforeSteps = steps.isEmpty() && outcome.equals(REFUSED) && !operation.finishes();
        return refused == null ? beforeSteps ? detail : "" : refused.found();
    }

    /** Whether a recovery code was typed. */
    boolean isRecovery() {
        return reason.startsWith(RECOVERY);
    }

    private @Nullable StepResult refused() {
        StepResult last = steps.isEmpty() ? null : steps.get(steps.size() - 1);
        return last == null || last.passed() ? null : last;
    }

    @Override
    public ServerOperation withUser(String userId) {
        return new ServerOperation(request, operation, nanos, outcome, reason, detail, userId, credential, steps, kept);
    }

    @Override
    public int weight() {
        int transcript = 0;
        for (StepResult step : steps) {
            transcript += 48 + 2 * (step.expected().length() + step.found().length());
        }
        return 256 + EventTexts.bytes(detail, request.correlationId(), user, credential) + transcript;
    }

    @Override
    public void write(JsonWriter json) {
        json.text("side", "server")
                .text("operation", operation.code())
                .number("at", request.at())
                .decimal("tookMs", millis(nanos))
                .text("outcome", outcome)
                .text("reason", reason)
                .text("detail", detail)
                .text("correlationId", request.correlationId())
                .text("user", user)
                .text("credential", credential)
                .bool("claimed", request.claimed())
                .objects("steps", steps, (step, result) -> {
                    step.text("step", result.step().code())
                            .bool("passed", result.passed())
                            .decimal("tookMs", millis(result.nanos()))
                            .text("name", result.step().label());
                    if (!result.passed()) {
                        step.text("expected", result.expected()).text("found", result.found());
                    }
                });
    }

    private static double millis(long nanos) {
        return Math.round(nanos / 1e3) / 1e3;
    }
}
