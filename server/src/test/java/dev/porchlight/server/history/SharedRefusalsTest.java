// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import dev.porchlight.server.MovableClock;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.auth.Sealer;
import dev.porchlight.server.crypto.KeyedHash;
import dev.porchlight.server.history.Capture.Refusal;
import dev.porchlight.server.history.CeremonyEvent.BrowserReport;
import dev.porchlight.server.history.CeremonyEvent.ClientRefusal;
import dev.porchlight.server.history.CeremonyEvent.ServerOperation;
import dev.porchlight.server.history.RefusedResponses.RefusedResponse;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.ErasedUsers;
import dev.porchlight.server.storage.SealedRefusals;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedRefusalsTest {
    private final MovableClock clock = new MovableClock();
    private final Database database = TestDatabase.SQLITE.open(1);
    private final CeremonyHistory history = new CeremonyHistory();
    private final RefusedResponses responses = new RefusedResponses(clock);
    private final SharedRefusals refusals = refusals(history, responses);

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void another_instance_finds_the_same_ceremony_and_response() {
        refuse(1, "ada", "a");
        history.add(
                trace(1),
                new BrowserReport(
                        "login",
                        BrowserOutcome.REFUSED,
                        clock.millis() + 1,
                        3,
                        "NotAllowedError",
                        "origin",
                        "rp",
                        "c2",
                        true));
        refusals.flush();
        CeremonyHistory otherHistory = new CeremonyHistory();
        SharedRefusals other = refusals(otherHistory, new RefusedResponses(clock));

        assertThat(other.find(SupportCode.of(trace(1)).toLowerCase(Locale.ROOT)).ceremonies())
                .isEqualTo(refusals.find("correlation 1").ceremonies())
                .hasSize(1);
        assertThat(other.find("ADA").explainable()).containsExactly(trace(1));
        assertThat(other.findResponses(trace(1))).isEqualTo(refusals.findResponses(trace(1)));
        assertThat(other.findResponses("ada")).isEmpty();
        assertThat(other.find("ZZ-ZZZ").ceremonies()).isEmpty();

        ClientRefusal client = new ClientRefusal(
                "token", "grafana", "invalid_client", "Sentence.", "client_secret", "x", "y", 5, "c5", "grace", false);
        refusals.add(trace(2), client, "a");
        refusals.flush();
        assertThat(other.find("c5").ceremonies()).containsExactly(new Ceremony(trace(2), List.of(client)));
        assertThat(other.find("grace").explainable()).isEmpty();
        assertThat(other.find("grafana").ceremonies()).hasSize(1);
        assertThat(other.ofClient("grafana").ceremonies())
                .isEqualTo(refusals.ofClient("grafana").ceremonies())
                .extracting(Ceremony::clientRefusal)
                .containsExactly(client);
        assertThat(other.ofClient("grace").ceremonies()).isEmpty();

        otherHistory.add(trace(1), operation(Operation.START_AUTHENTICATION, 0, "ok", "c0", "", List.of()));
        assertThat(other.find(trace(1)).ceremonies().get(0).events())
                .hasSize(3)
                .extracting(CeremonyEvent::correlationId)
                .containsExactly("c0", "correlation 1", "c2");
    }

    @Test
    void a_flood_from_one_address_drops_only_its_own_and_is_counted() {
        refuse(1, "ada", "a");
        for (int i = 2; i <= 300; i++) {
            refuse(i, "", "flood");
        }
        for (int i = 0; i < 5; i++) {
            refusals.flush();
        }

        assertThat(refusals.dropped()).isEqualTo(300 - 256);
        assertThat(refusals.stored()).isEqualTo(256);
        SharedRefusals other = refusals(new CeremonyHistory(), new RefusedResponses(clock));
        assertThat(other.find("ada").ceremonies()).hasSize(1);
        assertThat(other.find(trace(300)).ceremonies()).hasSize(1);
        assertThat(other.find(trace(2)).ceremonies()).isEmpty();
    }

    @Test
    void refusals_wait_while_the_database_is_unavailable() {
        database.sql().update("ALTER TABLE porchlight_refusal RENAME TO away");
        refuse(1, "ada", "a");
        refusals.flush();
        assertThat(refusals.find("ada").complete()).isFalse();
        assertThat(refusals.find("ada").ceremonies()).hasSize(1);

        database.sql().update("ALTER TABLE away RENAME TO porchlight_refusal");
        refusals.flush();

        assertThat(refusals.stored()).isOne();
        assertThat(refusals(new CeremonyHistory(), new RefusedResponses(clock)).find("ada"))
                .satisfies(found -> assertThat(found.complete()).isTrue())
                .satisfies(found -> assertThat(found.ceremonies()).hasSize(1));
    }

    @Test
    void a_ceremony_that_is_too_large_is_stored_without_its_response_or_not_at_all() {
        refuse(1, "ada", "a", "\u0001".repeat(RefusedResponses.MAX_CHARS));
        history.add(
                trace(2),
                operation(
                        Operation.FINISH_AUTHENTICATION,
                        1,
                        "refused",
                        "correlation 2",
                        "ada",
                        List.of(StepResult.refused(Step.SIGNATURE, "x".repeat(SharedRefusals.MAX_CHARS)))));
        refusals.add(trace(2), "a");
        refusals.flush();

        SharedRefusals other = refusals(new CeremonyHistory(), new RefusedResponses(clock));
        assertThat(other.find(trace(1)).ceremonies()).hasSize(1);
        assertThat(other.findResponses(trace(1))).isEmpty();
        assertThat(other.find(trace(2)).ceremonies()).isEmpty();
        assertThat(refusals.dropped()).isOne();
    }

    private void refuse(int number, String user, String address) {
        refuse(number, user, address, "{\"id\":\"AAAA\"}");
    }

    private void refuse(int number, String user, String address, String response) {
        List<StepResult> steps = List.of(
                new StepResult(Step.ORIGIN, true, "", "", 5),
                new StepResult(Step.SIGNATURE, false, "valid", "not a signature", 7));
        long now = clock.millis();
        String correlationId = "correlation " + number;
        history.add(
                trace(number), operation(Operation.FINISH_AUTHENTICATION, now, "refused", correlationId, user, steps));
        Refusal refusal = new Refusal(false, Instant.ofEpochMilli(now), steps);
        responses.keep(
                new RefusedResponse(
                        trace(number),
                        correlationId,
                        new Capture(response, null, user.isEmpty() ? null : user, refusal)),
                address);
        refusals.add(trace(number), address);
    }

    private static ServerOperation operation(
            Operation operation, long at, String outcome, String correlationId, String user, List<StepResult> steps) {
        return new ServerOperation(
                operation,
                at,
                1_234_567,
                outcome,
                "bad_signature",
                "detail",
                correlationId,
                user,
                "AAAA…",
                steps,
                true);
    }

    private SharedRefusals refusals(CeremonyHistory ceremonies, RefusedResponses kept) {
        return new SharedRefusals(
                ceremonies,
                kept,
                new SealedRefusals(database.sql()),
                new ErasedUsers(new byte[32]),
                new SharedRefusals.Secrets(
                        new KeyedHash(new byte[32]), new Sealer(List.of(new byte[32]), new SecureRandom())),
                clock);
    }

    /** The first digits differ, so that the support codes differ too. */
    private static String trace(int number) {
        return String.format(Locale.ROOT, "%08x", number * 0x10101) + "f".repeat(24);
    }
}
