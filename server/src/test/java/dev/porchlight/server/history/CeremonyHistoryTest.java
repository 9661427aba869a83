// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.SupportCode;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import dev.porchlight.server.MovableClock;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.crypto.KeyedHash;
import dev.porchlight.server.crypto.Sealer;
import dev.porchlight.server.history.CeremonyEvent.ClientRefusal;
import dev.porchlight.server.history.CeremonyEvent.Request;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.ErasedUsers;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CeremonyHistoryTest {
    private static final String RESPONSE = "{\"id\":\"AAAA\"}";
    private static final ErasedUsers ERASED = new ErasedUsers(new byte[32]);

    private final MovableClock clock = new MovableClock();
    private final Database database = TestDatabase.SQLITE.open(1);
    private final CeremonyHistory history = instance();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void another_instance_finds_the_same_ceremony_and_response() {
        history.add(trace(1), operation(Operation.START_AUTHENTICATION, "ok", "c0", "", List.of(), false), "a");
        refuse(1, "ada", "a");
        history.flush();
        CeremonyHistory other = instance();

        assertThat(other.find(SupportCode.of(trace(1)).toLowerCase(Locale.ROOT)).ceremonies())
                .isEqualTo(history.find("correlation 1").ceremonies())
                .hasSize(1)
                .allMatch(ceremony -> isExplainable(other, ceremony));
        assertThat(other.find("ADA").ceremonies()).hasSize(1);
        assertThat(other.findResponses(trace(1)))
                .isEqualTo(history.findResponses(trace(1).toUpperCase(Locale.ROOT)))
                .extracting(Capture::response)
                .containsExactly(RESPONSE);
        assertThat(other.findResponses("ada")).isEmpty();
        assertThat(other.find("ZZ-ZZZ").ceremonies()).isEmpty();

        other.add(trace(1), report(BrowserOutcome.REFUSED, "c2"), "a");
        assertThat(other.find(trace(1)).ceremonies().get(0).events())
                .extracting(event -> event.request().correlationId())
                .containsExactly("c0", "correlation 1", "c2");
    }

    @Test
    void a_refused_request_of_a_client_is_found_by_client_and_user() {
        ClientRefusal refusal = new ClientRefusal(
                new Request(clock.millis(), "c5", false),
                "token",
                "grafana",
                "invalid_client",
                "Sentence.",
                "client_secret",
                "x",
                "y",
                "grace");
        history.add(trace(2), refusal, "a");
        history.flush();
        CeremonyHistory other = instance();

        assertThat(other.find("c5").ceremonies()).containsExactly(new Ceremony(trace(2), List.of(refusal)));
        assertThat(other.find("grace").ceremonies()).hasSize(1).noneMatch(ceremony -> isExplainable(other, ceremony));
        assertThat(other.find("grafana").ceremonies()).hasSize(1);
        assertThat(other.ofClient("grafana").ceremonies())
                .isEqualTo(history.ofClient("grafana").ceremonies())
                .extracting(Ceremony::clientRefusal)
                .containsExactly(refusal);
        assertThat(other.ofClient("grace").ceremonies()).isEmpty();
    }

    @Test
    void a_ceremony_that_ended_in_the_browser_is_found_by_another_instance() {
        history.add(trace(1), operation(Operation.START_AUTHENTICATION, "ok", "c0", "ada", List.of(), false), "a");
        history.add(trace(1), report(BrowserOutcome.BLOCKED, "c1"), "a");
        history.add(trace(2), operation(Operation.START_AUTHENTICATION, "ok", "c2", "ada", List.of(), false), "a");
        history.add(trace(2), report(BrowserOutcome.OK, "c3"), "a");
        history.flush();
        CeremonyHistory other = instance();

        assertThat(other.find(SupportCode.of(trace(1))).ceremonies())
                .singleElement()
                .satisfies(found -> assertThat(found.state()).isEqualTo(Ceremony.State.ABANDONED))
                .satisfies(found -> assertThat(found.cause().code()).isEqualTo("blocked"));
        assertThat(other.find(trace(2)).ceremonies()).isEmpty();
    }

    @Test
    void a_failure_has_the_same_cause_on_another_instance() {
        history.add(trace(1), operation(Operation.START_AUTHENTICATION, "storage", "c0", "", List.of(), false), "a");
        history.add(trace(1), report(BrowserOutcome.UNAVAILABLE, "c1"), "a");
        history.flush();

        assertThat(instance().find(trace(1)).ceremonies())
                .singleElement()
                .extracting(Ceremony::cause)
                .isEqualTo(history.find(trace(1)).ceremonies().get(0).cause());
    }

    @Test
    void a_ceremony_that_succeeds_after_a_report_that_it_waits_is_removed() {
        history.add(trace(1), operation(Operation.START_AUTHENTICATION, "ok", "c0", "ada", List.of(), false), "a");
        history.add(trace(1), report(BrowserOutcome.WAITING, "c1"), "a");
        history.flush();
        assertThat(instance().find(trace(1)).ceremonies())
                .singleElement()
                .satisfies(found -> assertThat(found.state()).isEqualTo(Ceremony.State.PENDING))
                .satisfies(found -> assertThat(found.cause().code()).isEqualTo("waiting"));
        history.add(trace(1), operation(Operation.FINISH_AUTHENTICATION, "ok", "c2", "ada", List.of(), false), "a");
        history.flush();

        assertThat(instance().find(trace(1)).ceremonies()).isEmpty();
        assertThat(history.find(trace(1)).ceremonies())
                .singleElement()
                .satisfies(found -> assertThat(found.cause()).isNull());
    }

    @Test
    void a_stored_response_stays_when_the_ceremony_fails_again() {
        refuse(1, "ada", "a");
        history.flush();
        clock.advance(Duration.ofSeconds(2));
        history.add(trace(1), operation(Operation.START_AUTHENTICATION, "storage", "c9", "ada", List.of(), false), "a");
        history.flush();

        assertThat(instance().findResponses(trace(1)))
                .extracting(Capture::response)
                .containsExactly(RESPONSE);
    }

    @Test
    void responses_with_the_same_code_are_listed_newest_first() {
        String first = "9b8977a" + "0".repeat(25);
        String second = "9b8977a" + "1".repeat(25);
        history.add(first, refused("x", ""), "{}", "a");
        clock.advance(Duration.ofSeconds(1));
        history.flush();
        history.add(second, refused("y", ""), "{}", "a");

        assertThat(history.findResponses("ke 4qf"))
                .extracting(capture -> capture.refusal().traceId())
                .containsExactly(second, first);
    }

    @Test
    void the_text_form_of_a_response_omits_it() {
        history.add(trace(1), refused("x", ""), "what the browser sent", "a");

        assertThat(history.findResponses("x")).singleElement().asString().doesNotContain("what the browser sent");
    }

    @Test
    void a_flood_from_one_address_drops_only_its_own_and_is_counted() {
        refuse(1, "ada", "a");
        for (int i = 2; i <= 300; i++) {
            refuse(i, "", "flood");
        }
        for (int i = 0; i < 5; i++) {
            history.flush();
        }

        assertThat(history.dropped()).isEqualTo(300 - 256);
        assertThat(history.stored()).isEqualTo(256);
        CeremonyHistory other = instance();
        assertThat(other.find("ada").ceremonies()).hasSize(1);
        assertThat(other.find(trace(300)).ceremonies()).hasSize(1);
        assertThat(other.find(trace(2)).ceremonies()).isEmpty();
    }

    @Test
    void one_kind_of_failure_does_not_displace_another() {
        refuse(1, "ada", "a");
        for (int i = 2; i <= 400; i++) {
            history.add(trace(i), operation(Operation.START_AUTHENTICATION, "ok", "o", "", List.of(), false), "b" + i);
            history.add(trace(i), report(BrowserOutcome.DISMISSED, "c"), "b" + i);
        }
        for (int i = 0; i < 5; i++) {
            history.flush();
        }

        assertThat(instance().find("ada").ceremonies()).hasSize(1);
        assertThat(history.dropped()).isEqualTo(399 - 256);
    }

    @Test
    void a_response_that_was_displaced_is_not_offered_for_explanation() {
        for (int i = 1; i <= 257; i++) {
            refuse(i, "", "flood");
        }

        assertThat(history.findById(trace(1)).ceremonies())
                .singleElement()
                .matches(ceremony -> !isExplainable(history, ceremony));
        assertThat(history.findById(trace(2)).ceremonies())
                .singleElement()
                .matches(ceremony -> isExplainable(history, ceremony));
    }

    @ParameterizedTest
    @ValueSource(strings = {"prf", "p\\u0072f"})
    void T39_a_response_with_results_of_the_prf_extension_is_not_stored(String prf) {
        String secrets = "{\"clientExtensionResults\":{\"" + prf + "\":{\"results\":{\"first\":\"c2VjcmV0\"}}}}";
        history.add(trace(1), refused("correlation 1", ""), secrets, "address");

        assertThat(history.findById(trace(1)).ceremonies())
                .singleElement()
                .matches(ceremony -> !isExplainable(history, ceremony));
    }

    @Test
    void concurrent_events_of_a_ceremony_are_all_stored() throws Exception {
        int rounds = 200;
        CyclicBarrier together = new CyclicBarrier(2);
        Callable<Void> adding = () -> {
            for (int i = 1; i <= rounds; i++) {
                together.await();
                history.add(trace(i), refused(Thread.currentThread().getName(), ""), "a");
            }
            return null;
        };
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (Future<Void> each : threads.invokeAll(List.of(adding, adding))) {
                each.get();
            }
        } finally {
            threads.shutdown();
        }
        for (int i = 0; i < 5; i++) {
            history.flush();
        }

        CeremonyHistory other = instance();
        for (int i = 1; i <= rounds; i++) {
            assertThat(other.findById(trace(i)).ceremonies().get(0).events()).hasSize(2);
        }
    }

    private static boolean isExplainable(CeremonyHistory history, Ceremony ceremony) {
        return history.explainable(List.of(ceremony)).contains(ceremony.traceId());
    }

    @Test
    void failures_wait_while_the_database_is_unavailable() {
        database.sql().update("ALTER TABLE porchlight_failed_ceremony RENAME TO away");
        refuse(1, "ada", "a");
        history.flush();
        assertThat(history.find("ada").complete()).isFalse();
        assertThat(history.find("ada").ceremonies()).hasSize(1);
        assertThat(history.findResponses(trace(1))).hasSize(1);

        database.sql().update("ALTER TABLE away RENAME TO porchlight_failed_ceremony");
        history.flush();

        assertThat(history.stored()).isOne();
        assertThat(instance().find("ada"))
                .satisfies(found -> assertThat(found.complete()).isTrue())
                .satisfies(found -> assertThat(found.ceremonies()).hasSize(1));
    }

    @Test
    void a_ceremony_that_is_too_large_is_stored_without_its_response_or_not_at_all() {
        history.add(trace(1), refused("c1", "ada"), "\u0001".repeat(CeremonyHistory.MAX_RESPONSE_CHARS), "a");
        List<StepResult> large = List.of(StepResult.refused(Step.SIGNATURE, "x".repeat(FailedCeremonies.MAX_CHARS)));
        history.add(trace(2), operation(Operation.FINISH_AUTHENTICATION, "refused", "c2", "ada", large, false), "a");
        history.flush();

        CeremonyHistory other = instance();
        assertThat(other.find(trace(1)).ceremonies()).hasSize(1);
        assertThat(other.findResponses(trace(1))).isEmpty();
        assertThat(other.find(trace(2)).ceremonies()).isEmpty();
        assertThat(history.dropped()).isOne();
    }

    @Test
    void a_response_is_kept_for_a_day() {
        refuse(1, "ada", "a");
        history.flush();
        clock.advance(CeremonyHistory.TIME.minus(Duration.ofMinutes(1)));
        history.sweep();
        assertThat(history.findResponses(trace(1))).hasSize(1);

        clock.advance(Duration.ofMinutes(1));

        assertThat(history.findResponses(trace(1))).isEmpty();
        assertThat(history.latest()).noneMatch(ceremony -> isExplainable(history, ceremony));
        history.sweep();
        assertThat(rows(database)).isEmpty();
    }

    @Test
    void the_ceremonies_of_an_erased_user_are_removed() {
        refuse(1, "ada", "a");
        refuse(2, "grace", "a");
        refuse(3, "", "a");
        history.flush();
        refuse(4, "ada", "a");
        database.sql()
                .update(
                        "INSERT INTO porchlight_erased_user (name_hash, erased_at, generation) VALUES (?, 0, 0)",
                        ERASED.hash("ada"));

        assertThat(instance().find(trace(1)).ceremonies()).isEmpty();
        history.removeUsers(id -> id.isEmpty() || id.equals("ada"));
        history.sweep();

        assertThat(history.latest()).extracting(Ceremony::traceId).containsExactly(trace(2));
        assertThat(history.find("ada").ceremonies()).isEmpty();
        assertThat(history.findResponses(trace(4))).isEmpty();
        assertThat(rows(database)).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void a_flood_from_one_address_displaces_only_its_own_rows(TestDatabase kind) {
        try (Database shared = kind.open(2)) {
            FailedCeremonies failed = failed(shared, 10);
            store(failed, 1, "a", true);
            store(failed, 2, "b", true);
            store(failed, 3, "b", true);
            store(failed, 4, "c", true);
            store(failed, 5, "flood", false);

            for (int number = 100; number < 160; number++) {
                store(failed, number, "flood", true);
            }

            assertThat(rows(shared)).hasSize(11);
            for (int number : List.of(1, 2, 3, 4, 5, 154, 155, 156, 157, 158, 159)) {
                assertThat(find(failed, number)).hasSize(1);
            }
            store(failed, 159, "flood", true);
            store(failed, 200, "b", true);
            assertThat(find(failed, 1)).hasSize(1);
            assertThat(find(failed, 200)).hasSize(1);
            assertThat(rows(shared)).hasSize(11);
        }
    }

    private void store(FailedCeremonies failed, int number, String address, boolean refused) {
        clock.advance(Duration.ofMillis(1));
        CeremonyEvent event = refused ? refused("c", "") : report(BrowserOutcome.DISMISSED, "c");
        failed.add(new Ceremony(trace(number), List.of(event)), "", address);
        failed.flush();
    }

    private static List<Failure> find(FailedCeremonies failed, int number) {
        return failed.find(ceremony -> false, trace(number), "", "").found();
    }

    private static List<String> rows(Database database) {
        return database.sql().query("SELECT ceremony_id FROM porchlight_failed_ceremony", row -> row.getString(1));
    }

    private void refuse(int number, String user, String address) {
        history.add(trace(number), refused("correlation " + number, user), RESPONSE, address);
    }

    private ServerOperation refused(String correlationId, String user) {
        List<StepResult> steps = List.of(
                new StepResult(Step.ORIGIN, true, "", "", 5),
                new StepResult(Step.SIGNATURE, false, "valid", "not a signature", 7));
        return operation(Operation.FINISH_AUTHENTICATION, "refused", correlationId, user, steps, true);
    }

    private ServerOperation operation(
            Operation operation,
            String outcome,
            String correlationId,
            String user,
            List<StepResult> steps,
            boolean kept) {
        return new ServerOperation(
                new Request(clock.millis(), correlationId, true),
                operation,
                1_234_567,
                outcome,
                "bad_signature",
                "detail",
                user,
                "AAAA…",
                steps,
                kept);
    }

    private BrowserReport report(BrowserOutcome outcome, String correlationId) {
        return new BrowserReport(
                new Request(clock.millis() + 1, correlationId, false),
                "login",
                outcome,
                3,
                "NotAllowedError",
                new BrowserReport.Page("origin", "rp", ""),
                "",
                "browser",
                true);
    }

    private CeremonyHistory instance() {
        return new CeremonyHistory(database.sql(), ERASED, index(), sealer(), clock);
    }

    private FailedCeremonies failed(Database shared, int maxRows) {
        return new FailedCeremonies(shared.sql(), ERASED, index(), sealer(), clock, maxRows);
    }

    private static KeyedHash index() {
        return new KeyedHash(new byte[32]);
    }

    private static Sealer sealer() {
        return new Sealer(List.of(new byte[32]), new SecureRandom());
    }

    /** The first digits differ, so that the support codes differ too. */
    private static String trace(int number) {
        return String.format(Locale.ROOT, "%08x", number * 0x10101) + "f".repeat(24);
    }
}
