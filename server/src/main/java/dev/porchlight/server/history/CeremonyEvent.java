// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.StepResult;
import java.util.List;

/** An event of a ceremony, in the server or in the browser. Immutable. */
public sealed interface CeremonyEvent {
    /** The end of the event, in milliseconds since 1970. */
    long at();

    /** The correlation id of the request. */
    String correlationId();

    /** The approximate size in memory, in bytes. */
    int weight();

    /** Whether the event is a success. */
    boolean succeeded();

    void write(JsonWriter json);

    /**
     * An operation of the server for one request.
     *
     * @param outcome {@code ok}, {@code refused} or {@code failed}
     * @param reason the code of the step that refused, or of another refusal, or empty
     * @param detail the reason, in words for a log line
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
        private static final int MAX_DETAIL = 400;
        private static final int MAX_USER = 256;

        public ServerOperation {
            detail = cut(detail, MAX_DETAIL);
            user = cut(user, MAX_USER);
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
                    .text("operation", operation.code())
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
     * A browser's report about its side of a ceremony. Untrusted: it is shown, and decides nothing.
     *
     * @param ceremony {@code login} or {@code registration}
     * @param elapsedMs the time from requesting options to the end
     * @param error the name of the DOMException, or empty
     * @param origin the origin of the page, as reported
     * @param verified whether the report belongs to options of this service
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
        /** The same report, marked as verified. */
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
                    .text("operation", ceremony)
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

    /**
     * A refused request of an OpenID Connect client.
     *
     * @param endpoint of the request, such as {@code authorize}
     * @param client the client id, as the request has it
     * @param reason the refusal code
     * @param sentence says what is wrong
     * @param parameter the parameter that is wrong, or empty
     * @param expected what would have been accepted
     * @param found what the request had
     * @param user the user, if known
     * @param claimed whether the client chose the trace id, and so the support code
     */
    record ClientRefusal(
            String endpoint,
            String client,
            String reason,
            String sentence,
            String parameter,
            String expected,
            String found,
            long at,
            String correlationId,
            String user,
            boolean claimed)
            implements CeremonyEvent {
        private static final int MAX_TEXT = 400;

        public ClientRefusal {
            client = cut(client, MAX_TEXT);
            parameter = cut(parameter, MAX_TEXT);
            expected = cut(expected, MAX_TEXT);
            found = cut(found, MAX_TEXT);
        }

        @Override
        public boolean succeeded() {
            return false;
        }

        @Override
        public int weight() {
            return 256
                    + 2
                            * (client.length()
                                    + parameter.length()
                                    + expected.length()
                                    + found.length()
                                    + correlationId.length()
                                    + user.length());
        }

        @Override
        public void write(JsonWriter json) {
            json.text("side", "server")
                    .text("operation", "openid_" + endpoint)
                    .number("at", at)
                    .number("tookMs", 0)
                    .text("outcome", "refused")
                    .text("reason", reason)
                    .text("client", client)
                    .text("parameter", parameter)
                    .text("expected", expected)
                    .text("found", found)
                    .text("correlationId", correlationId)
                    .text("user", user)
                    .bool("claimed", claimed);
        }
    }

    private static String cut(String text, int max) {
        return text.length() <= max ? text : text.substring(0, max) + '…';
    }
}
