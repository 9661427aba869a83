// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An event of a ceremony, in the server or in the browser. Immutable. */
public sealed interface CeremonyEvent {
    /** The reason of sign-in options that autofill requested. */
    String AUTOFILL = "autofill";

    Request request();

    /** The approximate size in memory, in bytes. */
    int weight();

    /** Whether the event is a success. */
    default boolean succeeded() {
        return false;
    }

    /** The cause of a failure; null for a success. */
    @Nullable
    Cause cause();

    /** The user, or empty if unknown. */
    default String user() {
        return "";
    }

    /** The expected value of the check that failed, or empty. */
    default String expected() {
        return "";
    }

    /** The received value of the check that failed, or empty. */
    default String found() {
        return "";
    }

    void write(JsonWriter json);

    /**
     * The request that reported an event.
     *
     * @param at the end of the event, in milliseconds since 1970
     * @param claimed whether the client chose the trace id, and so the support code
     */
    record Request(long at, String correlationId, boolean claimed) {}

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
    record ServerOperation(
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
        /** The outcome of an operation that the service refused. */
        public static final String REFUSED = "refused";

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
            return refused == null ? "" : refused.found();
        }

        private @Nullable StepResult refused() {
            StepResult last = steps.isEmpty() ? null : steps.get(steps.size() - 1);
            return last == null || last.passed() ? null : last;
        }

        @Override
        public int weight() {
            int transcript = 0;
            for (StepResult step : steps) {
                transcript += 48 + bytes(step.expected(), step.found());
            }
            return 256 + bytes(detail, request.correlationId(), user, credential) + transcript;
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

    /**
     * A browser's report about its side of a ceremony. Untrusted: it is shown, and decides nothing.
     *
     * @param ceremony {@code login} or {@code registration}
     * @param elapsedMs the time from requesting options to the end
     * @param error the name of the DOMException, the code of a refused request, or empty
     * @param origin the origin of the page, as reported
     * @param user the user of those options, or empty
     * @param browser the User-Agent header
     * @param expected the service's origin if the page was opened at another address; else empty
     * @param verified whether the report belongs to options of this service
     */
    record BrowserReport(
            Request request,
            String ceremony,
            BrowserOutcome outcome,
            long elapsedMs,
            String error,
            String origin,
            String rpId,
            String user,
            String browser,
            String expected,
            boolean verified)
            implements CeremonyEvent {
        private static final int MAX_BROWSER = 256;

        public BrowserReport {
            browser = cut(browser, MAX_BROWSER);
        }

        /** The same report, marked as verified. */
        public BrowserReport asVerified() {
            return new BrowserReport(
                    request, ceremony, outcome, elapsedMs, error, origin, rpId, user, browser, expected, true);
        }

        /** The same report, of a page that was opened at another address than the service's origin. */
        public BrowserReport atWrongAddress(String right) {
            return new BrowserReport(
                    request, ceremony, outcome, elapsedMs, error, origin, rpId, user, browser, right, verified);
        }

        boolean isAtWrongAddress() {
            return !expected.isEmpty();
        }

        @Override
        public boolean succeeded() {
            return outcome == BrowserOutcome.OK;
        }

        @Override
        public @Nullable Cause cause() {
            if (isAtWrongAddress()) {
                return Cause.ofUser("wrong_address");
            }
            return outcome == BrowserOutcome.DISMISSED && ceremony.equals("registration")
                    ? Cause.ofRegistration(outcome)
                    : Cause.of(outcome);
        }

        /** The name of the error; for an invalid configuration, what the page used. */
        @Override
        public String found() {
            if (isAtWrongAddress()) {
                return origin;
            }
            return outcome == BrowserOutcome.CONFIG ? "page " + origin + " with RP ID " + rpId : error;
        }

        @Override
        public int weight() {
            return 192 + bytes(error, origin, rpId, user, browser, expected, request.correlationId());
        }

        @Override
        public void write(JsonWriter json) {
            json.text("side", "browser")
                    .text("operation", ceremony)
                    .number("at", request.at())
                    .number("tookMs", elapsedMs)
                    .text("outcome", outcome.code())
                    .text("error", error)
                    .text("origin", origin)
                    .text("rpId", rpId)
                    .text("correlationId", request.correlationId())
                    .text("user", user)
                    .text("browser", browser)
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
     */
    record ClientRefusal(
            Request request,
            String endpoint,
            String client,
            String reason,
            String sentence,
            String parameter,
            String expected,
            String found,
            String user)
            implements CeremonyEvent {
        private static final int MAX_TEXT = 400;

        public ClientRefusal {
            client = cut(client, MAX_TEXT);
            parameter = cut(parameter, MAX_TEXT);
            expected = cut(expected, MAX_TEXT);
            found = cut(found, MAX_TEXT);
        }

        @Override
        public Cause cause() {
            return Cause.ofClient(reason, sentence);
        }

        @Override
        public int weight() {
            return 256 + bytes(client, parameter, expected, found, request.correlationId(), user);
        }

        @Override
        public void write(JsonWriter json) {
            writeRefusal(json, "openid_" + endpoint, reason, this);
            json.text("client", client).text("parameter", parameter);
        }
    }

    /**
     * A refused enrollment token.
     *
     * @param reason the refusal code
     * @param user the user it was issued for, if known
     * @param facts when it was issued and ended, and the operator
     */
    record EnrollmentRefusal(
            Request request, String reason, String user, String expected, String found, List<Fact> facts)
            implements CeremonyEvent {
        public EnrollmentRefusal {
            facts = List.copyOf(facts);
        }

        @Override
        public Cause cause() {
            return Cause.ofEnrollment(reason);
        }

        @Override
        public int weight() {
            return 256 + bytes(user, expected, found, request.correlationId()) + 128 * facts.size();
        }

        @Override
        public void write(JsonWriter json) {
            writeRefusal(json, "enrollment", reason, this);
        }
    }

    private static void writeRefusal(JsonWriter json, String operation, String reason, CeremonyEvent refusal) {
        json.text("side", "server")
                .text("operation", operation)
                .number("at", refusal.request().at())
                .number("tookMs", 0)
                .text("outcome", ServerOperation.REFUSED)
                .text("reason", reason)
                .text("expected", refusal.expected())
                .text("found", refusal.found())
                .text("correlationId", refusal.request().correlationId())
                .text("user", refusal.user())
                .bool("claimed", refusal.request().claimed());
    }

    private static int bytes(String... texts) {
        int chars = 0;
        for (String text : texts) {
            chars += text.length();
        }
        return 2 * chars;
    }

    private static String cut(String text, int max) {
        return text.length() <= max ? text : text.substring(0, max) + '…';
    }
}
