// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestResponseTest {
    private static final String BODY = "{'error':'Sign in.','code':'unauthenticated','status':401,'correlationId':'c'}";

    @Test
    void a_received_head_is_parsed() {
        TestResponse response = TestResponse.parse(
                "HTTP/1.1 200 OK\r\nVary: Origin\r\nvary:Accept\r\nSet-Cookie: id=1; Path=/\r\n\r\n",
                "{\"token\":\"t\"}");

        assertThat(response.expect(200).ok()).isTrue();
        assertThat(response.headers().allValues("VARY")).containsExactly("Origin", "Accept");
        assertThat(response.cookie()).isEqualTo("id=1");
        assertThat(response.field("token")).isEqualTo("t");
        assertThat(response.field("code")).isEmpty();
        assertThat(TestResponse.none().jsonIfAny().names()).isEmpty();
    }

    @Test
    void an_unexpected_status_is_reported_with_the_body() {
        assertThatThrownBy(() -> problem(BODY).expect(200))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("expected status 200, got 401 {\"error\"");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "correlationId, other",
                "unauthenticated, forbidden",
                "401, 403",
                "Sign in., ``",
                "Sign in., Sign in",
                "'c'}, `'c','extra':1}`",
                "'c'}, `'c','detail':'No'}`"
            })
    void a_problem_in_another_form_is_reported(String part, String replacement) {
        problem(BODY).expectProblem(401, "unauthenticated");
        assertThatThrownBy(() -> problem(BODY.replace(part, replacement)).expectProblem(401, "unauthenticated"))
                .isInstanceOf(AssertionError.class);
    }

    private static TestResponse problem(String body) {
        String head = "HTTP/1.1 401 -\r\nContent-Type: application/problem+json\r\nX-Correlation-ID: c\r\n";
        return TestResponse.parse(head, body.replace('\'', '"'));
    }
}
