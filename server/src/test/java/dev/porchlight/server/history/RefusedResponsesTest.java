// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import dev.porchlight.server.MovableClock;
import dev.porchlight.server.history.Capture.Refusal;
import dev.porchlight.server.history.RefusedResponses.Kept;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class RefusedResponsesTest {
    private final MovableClock clock = new MovableClock();
    private final RefusedResponses responses = new RefusedResponses(clock, 3);

    @Test
    void a_response_is_found_by_its_support_code_its_correlation_id_or_its_trace_id() {
        Kept kept = keep(1, "a");
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
    void the_latest_of_a_ceremony_takes_the_place_of_the_one_before() {
        keep(1, "a");
        Kept latest = keep(1, "a", "another response");

        assertThat(responses.find(trace(1))).containsExactly(latest);
    }

    @Test
    void ceremonies_that_share_a_code_are_told_apart_the_newest_first() {
        Kept former = new Kept("9b8977a" + "0".repeat(25), "x", capture("{}"));
        Kept latter = new Kept("9b8977a" + "1".repeat(25), "y", capture("{}"));
        responses.keep(former, "a");
        responses.keep(latter, "a");

        assertThat(responses.find("KE-4QF")).containsExactly(latter, former);
    }

    @Test
    void whoever_sends_the_most_makes_room_for_the_others() {
        Kept theirs = keep(1, "somebody");
        keep(2, "flood");
        keep(3, "flood");
        Kept last = keep(4, "flood");

        assertThat(responses.has(trace(2))).isFalse();
        assertThat(responses.find(trace(1))).containsExactly(theirs);
        assertThat(responses.find(trace(4))).containsExactly(last);

        for (int i = 5; i < 50; i++) {
            keep(i, "flood");
        }
        assertThat(responses.find(trace(1))).containsExactly(theirs);
    }

    @Test
    void where_nobody_sent_more_than_others_the_oldest_goes() {
        for (int i = 1; i <= 4; i++) {
            keep(i, "address " + i);
        }

        assertThat(responses.has(trace(1))).isFalse();
        assertThat(responses.has(trace(2))).isTrue();
    }

    @Test
    void one_that_is_too_large_is_not_kept() {
        keep(1, "a", "x".repeat(RefusedResponses.MOST_CHARS));
        keep(2, "a", "x".repeat(RefusedResponses.MOST_CHARS + 1));

        assertThat(responses.has(trace(1))).isTrue();
        assertThat(responses.has(trace(2))).isFalse();
    }

    @Test
    void its_text_is_not_the_response() {
        assertThat(keep(1, "a", "what the browser sent")).asString().doesNotContain("what the browser sent");
    }

    @Test
    void a_day_later_it_is_forgotten() {
        Kept kept = keep(1, "a");
        clock.advance(RefusedResponses.TIME.minus(Duration.ofMinutes(1)));
        responses.sweep();
        assertThat(responses.find(trace(1))).containsExactly(kept);

        clock.advance(Duration.ofMinutes(1));

        assertThat(responses.find(trace(1))).isEmpty();
        assertThat(responses.has(trace(1))).isFalse();
    }

    private Kept keep(int number, String address) {
        return keep(number, address, "{}");
    }

    private Kept keep(int number, String address, String response) {
        Kept kept = new Kept(trace(number), "correlation " + number, capture(response));
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

    /** The first digits tell them apart, so that their support codes differ too. */
    private static String trace(int number) {
        return String.format(Locale.ROOT, "%06x00", number * 0x10101) + "f".repeat(24);
    }
}
