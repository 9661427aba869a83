// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import dev.porchlight.server.history.Ceremony.State;
import dev.porchlight.server.history.CeremonyEvent.Request;
import dev.porchlight.support.Patience;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentCeremoniesTest {
    private final RecentCeremonies recent = new RecentCeremonies(10, 1_000_000);
    private final AtomicLong clock = new AtomicLong(1_000);

    @Test
    void server_and_browser_events_of_a_ceremony_are_one_entry() {
        recent.add(trace(1), options());
        recent.add(trace(1), refused(Step.ORIGIN));
        recent.add(trace(1), report(BrowserOutcome.REFUSED));

        Ceremony found = recent.latest().get(0);
        assertThat(recent.latest()).hasSize(1);
        assertThat(found.events()).hasSize(3);
        assertThat(found.state()).isEqualTo(State.REFUSED);
        assertThat(found.cause().code()).isEqualTo("origin_mismatch");
    }

    @Test
    void a_ceremony_is_found_by_support_code_correlation_id_trace_id_or_user() {
        recent.add(trace(1), refused(Step.SIGNATURE));
        recent.add(trace(2), passed("another"));
        String code = find(trace(1)).get(0).supportCode();

        assertThat(find(code)).extracting(Ceremony::traceId).containsExactly(trace(1));
        assertThat(find(code.replace("-", "").toLowerCase(Locale.ROOT))).hasSize(1);
        assertThat(find(" another ")).extracting(Ceremony::traceId).containsExactly(trace(2));
        assertThat(find(trace(2).toUpperCase(Locale.ROOT))).hasSize(1);
        assertThat(find("ada")).extracting(Ceremony::traceId).containsExactly(trace(2), trace(1));
        assertThat(find("unknown")).isEmpty();
    }

    @Test
    void abandoned_ceremonies_differ_from_pending_ones() {
        recent.add(trace(1), options());
        assertThat(only().state()).isEqualTo(State.PENDING);
        assertThat(only().cause()).isNull();

        recent.add(trace(1), report(BrowserOutcome.DISMISSED));
        assertThat(only().state()).isEqualTo(State.ABANDONED);
        assertThat(only().cause().code()).isEqualTo("dismissed");

        recent.add(trace(1), passed("later"));
        assertThat(only().state()).isEqualTo(State.SUCCEEDED);
        assertThat(only().cause()).isNull();
    }

    @Test
    void a_report_of_an_unknown_ceremony_does_not_count_as_abandoned() {
        recent.add(trace(1), unverified(BrowserOutcome.CONFIG));

        assertThat(only().state()).isEqualTo(State.PENDING);
        assertThat(only().cause().code()).isEqualTo("config");
    }

    @Test
    void a_verified_report_counts_as_abandoned_on_an_instance_without_the_options() {
        recent.add(trace(1), report(BrowserOutcome.BLOCKED));

        assertThat(only().state()).isEqualTo(State.ABANDONED);
    }

    @Test
    void a_flood_of_options_evicts_no_refusal() {
        recent.add(trace(0), refused(Step.CREDENTIAL_KNOWN));
        recent.add(trace(1), options());
        recent.add(trace(1), report(BrowserOutcome.TIMEOUT));
        for (int i = 2; i < 500; i++) {
            recent.add(trace(i), i % 2 == 0 ? options() : unverified(BrowserOutcome.REFUSED));
        }

        assertThat(find(trace(0))).hasSize(1);
        assertThat(find(trace(1))).hasSize(1);
        assertThat(find(trace(2))).isEmpty();
        assertThat(find(trace(499))).hasSize(1);
        assertThat(recent.latest()).hasSize(12);
    }

    @Test
    void the_oldest_refusals_are_evicted_first() {
        for (int i = 0; i < 25; i++) {
            recent.add(trace(i), refused(Step.SIGN_COUNT));
        }

        assertThat(recent.latest())
                .extracting(Ceremony::traceId)
                .hasSize(10)
                .startsWith(trace(24))
                .endsWith(trace(15));
    }

    @Test
    void memory_is_bounded_with_long_texts() {
        RecentCeremonies small = new RecentCeremonies(1_000, 20_000);
        for (int i = 0; i < 1_000; i++) {
            small.add(
                    trace(i),
                    act(Operation.FINISH_AUTHENTICATION, "refused", Step.SIGNATURE, "x".repeat(5_000), "c" + i));
        }

        assertThat(small.latest()).hasSizeBetween(10, 25);
        assertThat(small.find(Ceremony.identifiedBy(trace(999)))).hasSize(1);
        assertThat(((ServerOperation) small.latest().get(0).events().get(0)).detail())
                .hasSizeLessThan(500);
    }

    @Test
    void the_events_of_one_ceremony_are_bounded() {
        recent.add(trace(1), options());
        for (int i = 0; i < 100; i++) {
            recent.add(trace(1), refused(Step.SIGNATURE));
        }

        assertThat(only().events()).hasSize(12);
        assertThat(((ServerOperation) only().events().get(0)).operation()).isEqualTo(Operation.START_AUTHENTICATION);
    }

    @Test
    void the_revision_grows_with_every_event() {
        long before = recent.revision();
        recent.add(trace(1), options());

        assertThat(recent.revision()).isGreaterThan(before);
    }

    @Test
    void many_threads_can_add_and_read_concurrently() throws Exception {
        var threads = Executors.newFixedThreadPool(8);
        var start = new CountDownLatch(1);
        for (int t = 0; t < 8; t++) {
            int thread = t;
            threads.execute(() -> {
                awaitQuietly(start);
                for (int i = 0; i < 500; i++) {
                    recent.add(trace(i % 30), thread % 2 == 0 ? options() : passed("id"));
                    recent.latest();
                }
            });
        }
        start.countDown();
        threads.shutdown();

        assertThat(threads.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(recent.revision()).isEqualTo(4_000);
        assertThat(recent.latest()).hasSizeBetween(1, 20).doesNotHaveDuplicates();
    }

    @Test
    void the_json_has_the_members_that_the_console_reads() {
        recent.add(trace(1), refused(Step.USER_VERIFIED));

        assertThat(JsonWriter.object(json -> only().write(json)))
                .contains("\"state\":\"refused\"", "\"passed\":false")
                .contains("{\"step\":\"type_mismatch\",\"passed\":true,\"tookMs\":0.002,\"name\":\"type\"}");
    }

    private List<Ceremony> find(String text) {
        return recent.find(Ceremony.identifiedBy(text).or(ceremony -> ceremony.hasUser(text::equals)));
    }

    private Ceremony only() {
        assertThat(recent.latest()).hasSize(1);
        return recent.latest().get(0);
    }

    private static String trace(int number) {
        return String.format("%08x%024x", number * 0x01010101L & 0xffffffffL, number + 1);
    }

    private ServerOperation options() {
        return act(Operation.START_AUTHENTICATION, "ok", null, "", "options");
    }

    private ServerOperation passed(String correlationId) {
        return act(Operation.FINISH_AUTHENTICATION, "ok", null, "", correlationId);
    }

    private ServerOperation refused(Step step) {
        return act(Operation.FINISH_AUTHENTICATION, "refused", step, "because", "finish");
    }

    private ServerOperation act(Operation operation, String outcome, Step step, String detail, String correlationId) {
        List<StepResult> steps = step == null
                ? List.of()
                : List.of(new StepResult(Step.TYPE, true, "", "", 1_500), new StepResult(step, false, "", "", 700));
        return new ServerOperation(
                new Request(clock.incrementAndGet(), correlationId, false),
                operation,
                1_000_000,
                outcome,
                step == null ? "" : step.code(),
                detail,
                "ada",
                "",
                steps,
                false);
    }

    private BrowserReport report(BrowserOutcome outcome) {
        return unverified(outcome).asVerified();
    }

    private BrowserReport unverified(BrowserOutcome outcome) {
        return new BrowserReport(
                new Request(clock.incrementAndGet(), "r", false),
                "login",
                outcome,
                10,
                "NotAllowedError",
                new BrowserReport.Page("http://localhost", "localhost", ""),
                "",
                "browser",
                false);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
