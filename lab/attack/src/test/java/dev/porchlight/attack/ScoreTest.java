// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.remote.TestResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What counts as refused, as got through, and as not tried. */
class ScoreTest {
    private final Score score = new Score("group");

    @ParameterizedTest
    @CsvSource({"401, 1, 0, 0", "501, 1, 0, 0", "200, 0, 1, 0", "500, 0, 1, 0", "503, 0, 0, 1"})
    void an_attempt_is_judged_by_its_status(int status, int refused, int through, int skipped) {
        score.judge("an attempt", TestResponse.parse("HTTP/1.1 " + status + "\r\n", ""));

        assertThat(score.refused()).isEqualTo(refused);
        assertThat(score.through()).hasSize(through);
        assertThat(score.skipped()).isEqualTo(skipped);
    }

    /** A service that is too busy for others is what such an attack wants. */
    @Test
    void a_valid_request_that_is_not_served_is_reported() {
        score.expectServed("a valid request", 0);
        score.expectServed("another one", 503);

        assertThat(score.through()).containsExactly("a valid request: status 0", "another one: status 503");
    }
}
