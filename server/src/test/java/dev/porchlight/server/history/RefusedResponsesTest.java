// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import dev.porchlight.server.MovableClock;
import dev.porchlight.server.history.Capture.Refusal;
import dev.porchlight.server.history.RefusedResponses.RefusedResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class RefusedResponsesTest {
    private final MovableClock clock = new MovableClock();
    private final RefusedResponses responses = new RefusedResponses(clock, 3);

    @Test
    void a_response_is_found_by_its_support_code_its_correlation_id_or_its_trace_id() {
        RefusedResponse kept = keep(1, "a");
        keep(2, "a");

        assertThat(responses.find(kept.supportCode())).containsExactly(kept);
        assertThat(responses.find(' ' + kept.supportCode().replace("-", "").toLowerCase(Locale.ROOT)))
                .containsExactly(kept);
        assertThat(responses.find(" correlation 1 ")).containsExactly(kept);
        assertThat(responses.find(trace(1).toUpperCase(Locale.ROOT))).containsExactly(kept);
        assertThat(responses.has(trace(1))).isTrue();
        assertThat(responses.find("ZZ-ZZZ")).isEmpty();
        assertThat(responses.has(trace(9))).isFalse();
    }

    @Test
    void the_latest_response_of_a_ceremony_replaces_the_previous_one() {
        keep(1, "a");
        RefusedResponse latest = keep(1, "a", "another response");

        assertThat(responses.find(trace(1))).containsExactly(latest);
    }

    @Test
    void ceremonies_with_the_same_code_are_listed_newest_first() {
        RefusedResponse former = new RefusedResponse("9b8977a" + "0".repeat(25), "x", capture("{}"));
        RefusedResponse latter = new RefusedResponse("9b8977a" + "1".repeat(25), "y", capture("{}"));
        responses.keep(former, "a");
        responses.keep(latter, "a");

        assertThat(responses.find("KE-4QF")).containsExactly(latter, former);
    }

    @Test
    void the_address_with_the_most_responses_loses_its_oldest() {
        RefusedResponse theirs = keep(1, "a client");
        keep(2, "flood");
        keep(3, "flood");
        RefusedResponse last = keep(4, "flood");

        assertThat(responses.has(trace(2))).isFalse();
        assertThat(responses.find(trace(1))).containsExactly(theirs);
        assertThat(responses.find(trace(4))).containsExactly(last);

        for (int i = 5; i < 50; i++) {
            keep(i, "flood");
        }
        assertThat(responses.find(trace(1))).containsExactly(theirs);
    }

    @Test
    void the_oldest_response_is_evicted_if_all_addresses_have_equally_many() {
        for (int i = 1; i <= 4; i++) {
            keep(i, "address " + i);
        }

        assertThat(responses.has(trace(1))).isFalse();
        assertThat(responses.has(trace(2))).isTrue();
    }

    @Test
    void a_response_that_is_too_large_is_not_stored() {
        keep(1, "a", "x".repeat(RefusedResponses.MAX_CHARS));
        keep(2, "a", "x".repeat(RefusedResponses.MAX_CHARS + 1));

        assertThat(responses.has(trace(1))).isTrue();
        assertThat(responses.has(trace(2))).isFalse();
    }

    @Test
    void the_text_form_omits_the_response() {
        assertThat(keep(1, "a", "what the browser sent")).asString().doesNotContain("what the browser sent");
    }

    @Test
    void a_response_is_removed_after_a_day() {
        RefusedResponse kept = keep(1, "a");
        clock.advance(RefusedResponses.TIME.minus(Duration.ofMinutes(1)));
        responses.sweep();
        assertThat(responses.find(trace(1))).containsExactly(kept);

        clock.advance(Duration.ofMinutes(1));

        assertThat(responses.find(trace(1))).isEmpty();
        assertThat(responses.has(trace(1))).isFalse();
    }

    private RefusedResponse keep(int number, String address) {
        return keep(number, address, "{}");
    }

    private RefusedResponse keep(int number, String address, String response) {
        RefusedResponse kept = new RefusedResponse(trace(number), "correlation " + number, capture(response));
        responses.keep(kept, address);
        return kept;
    }

    private Capture capture(String response) {
        return new Capture(
                response,
                null,
                "ada",
                new Refusal(false, clock.instant(), List.of(StepResult.refused(Step.SIGNATURE, "not a signature"))));
    }

    /** The first digits differ, so that the support codes differ too. */
    private static String trace(int number) {
        return String.format(Locale.ROOT, "%06x00", number * 0x10101) + "f".repeat(24);
    }
}
