// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.base.JsonWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event of a ceremony, in the server or in the browser. Immutable. */
public sealed interface CeremonyEvent
        permits ServerOperation, BrowserReport, CeremonyEvent.ClientRefusal, CeremonyEvent.EnrollmentRefusal {
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

    /** The same event of another user. */
    CeremonyEvent withUser(String userId);

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
     * A refused request of an OpenID Connect client.
     *
     * @param endpoint of the request, such as {@code authorize}
     * @param client the client id, as the request has it
     * @param reason the refusal code, or that of a {@link BrowserOutcome} if the service could not decide
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
        /** Found instead of a parameter that the request lacks. */
        public static final String ABSENT = "nothing";

        private static final int MAX_TEXT = 400;

        public ClientRefusal {
            client = EventTexts.cut(client, MAX_TEXT);
            parameter = EventTexts.cut(parameter, MAX_TEXT);
            expected = EventTexts.cut(expected, MAX_TEXT);
            found = EventTexts.cut(found, MAX_TEXT);
        }

        @Override
        public Cause cause() {
            BrowserOutcome outage = BrowserOutcome.of(reason);
            Cause cause = outage == null ? null : Cause.of(outage);
            return cause == null ? Cause.ofClient(reason, sentence, found.equals(ABSENT)) : cause;
        }

        @Override
        public ClientRefusal withUser(String userId) {
            return new ClientRefusal(request, endpoint, client, reason, sentence, parameter, expected, found, userId);
        }

        @Override
        public int weight() {
            return 256 + EventTexts.bytes(client, parameter, expected, found, request.correlationId(), user);
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
            return Cause.ofEnrollment(
                    reason,
                    has("device_link_issued") ? "device" : has("recovery_code_used") ? "recovery" : "enrollment");
        }

        private boolean has(String name) {
            return facts.stream().anyMatch(fact -> fact.name().equals(name));
        }

        @Override
        public EnrollmentRefusal withUser(String userId) {
            return new EnrollmentRefusal(request, reason, userId, expected, found, facts);
        }

        @Override
        public int weight() {
            return 256 + EventTexts.bytes(user, expected, found, request.correlationId()) + 128 * facts.size();
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
}
