// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.StepResult;
import java.util.List;

/** One thing that happened in a ceremony, on the server's side or on the browser's. Immutable. */
public sealed interface CeremonyEvent {
    /** When it ended, in milliseconds since 1970. */
    long at();

    /** The request that it happened in. */
    String correlationId();

    /** About how many bytes it takes in memory. */
    int weight();

    /** Whether it went well. */
    boolean succeeded();

    void write(JsonWriter json);

    /**
     * What the server did for one request.
     *
     * @param outcome {@code ok}, {@code refused} or {@code failed}
     * @param reason the code of the step that refused, or of another refusal, or empty
     * @param detail why, for a log line
     * @param user the user, if known
     * @param credential the first characters of the passkey's id
     * @param steps the transcript
     * @param claimed whether the client chose the trace id, and so the support code
     */
    record ServerOperation(
            Operation operation,
            long at,
            long nanos,
            String outcome,
            String reason,
            String detail,
            String correlationId,
            String user,
            String credential,
            List<StepResult> steps,
            boolean claimed)
            implements CeremonyEvent {
        private static final int LONGEST_DETAIL = 400;
        private static final int LONGEST_USER = 256;

        public ServerOperation {
            detail = cut(detail, LONGEST_DETAIL);
            user = cut(user, LONGEST_USER);
            steps = List.copyOf(steps);
        }

        @Override
        public boolean succeeded() {
            return outcome.equals("ok");
        }

        @Override
        public int weight() {
            return 256
                    + 2 * (detail.length() + correlationId.length() + user.length() + credential.length())
                    + steps.stream()
                            .mapToInt(step -> 48
                                    + 2
                                            * (step.expected().length()
                                                    + step.found().length()))
                            .sum();
        }

        @Override
        public void write(JsonWriter json) {
            json.text("side", "server")
                    .text("act", operation.code())
                    .number("at", at)
                    .decimal("tookMs", millis(nanos))
                    .text("outcome", outcome)
                    .text("reason", reason)
                    .text("detail", detail)
                    .text("correlationId", correlationId)
                    .text("user", user)
                    .text("credential", credential)
                    .bool("claimed", claimed)
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

    /**
     * What the browser said of its side. Anybody can say anything here: it is shown, and decides nothing.
     *
     * @param ceremony {@code login} or {@code registration}
     * @param elapsedMs from asking for options to the end
     * @param error the name of the DOMException, or empty
     * @param origin the page's, as it says
     * @param verified whether it belongs to options of this service
     */
    record BrowserReport(
            String ceremony,
            BrowserOutcome outcome,
            long at,
            long elapsedMs,
            String error,
            String origin,
            String rpId,
            String correlationId,
            boolean verified)
            implements CeremonyEvent {
        /** The same report, which belongs to options of this service. */
        public BrowserReport asVerified() {
            return new BrowserReport(ceremony, outcome, at, elapsedMs, error, origin, rpId, correlationId, true);
        }

        @Override
        public boolean succeeded() {
            return outcome == BrowserOutcome.OK;
        }

        @Override
        public int weight() {
            return 192 + 2 * (error.length() + origin.length() + rpId.length() + correlationId.length());
        }

        @Override
        public void write(JsonWriter json) {
            json.text("side", "browser")
                    .text("act", ceremony)
                    .number("at", at)
                    .number("tookMs", elapsedMs)
                    .text("outcome", outcome.code())
                    .text("error", error)
                    .text("origin", origin)
                    .text("rpId", rpId)
                    .text("correlationId", correlationId)
                    .bool("verified", verified);
        }
    }

    private static String cut(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest) + '…';
    }
}
