// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtlpResponseTest {
    @Property
    void takes_any_bytes_for_an_answer(@ForAll byte[] body) {
        for (String type : List.of("application/json", "application/x-protobuf", "text/html", "")) {
            OtlpResponse answer = OtlpResponse.parse(body, type);
            assertThat(answer.message()).doesNotContain("\n").hasSizeLessThanOrEqualTo(500);
        }
    }

    @Test
    void bounds_the_message() {
        String body = "{\"message\":\"" + "x".repeat(10_000) + "\"}";
        assertThat(OtlpResponse.parse(body.getBytes(StandardCharsets.UTF_8), "application/json")
                        .message())
                .hasSize(500);
    }

    @Test
    void reads_the_escapes_of_a_json_message() {
        assertThat(json("{ \"message\" : \"a\\n\\/\\\"\\u00e9\\\\\" }"))
                .isEqualTo(new OtlpResponse(0, "a /\"\u00e9\\"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{\"message\"}", "{\"message\":1}", "tru", "{a:1}"})
    void a_json_body_that_cannot_be_read_says_nothing(String body) {
        assertThat(json(body)).isEqualTo(new OtlpResponse(0, ""));
    }

    @Test
    void a_json_body_of_nothing_but_escapes_or_brackets_is_read() {
        assertThat(json("[".repeat(100_000))).isEqualTo(new OtlpResponse(0, ""));
        assertThat(json("{\"message\":\"" + "\\n".repeat(100_000)).message()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a \\\\/ b", "a \\\\u0041 b", "a \\u12", "\\x"})
    void rejected_spans_count_whatever_the_message_is(String message) {
        assertThat(json("{\"partialSuccess\":{\"errorMessage\":\"" + message + "\",\"rejectedSpans\":\"3\"}}")
                        .rejected())
                .isEqualTo(3);
    }

    @Test
    void rejected_spans_count_after_a_long_message() {
        String message = "x".repeat(10_000);
        assertThat(json("{\"partialSuccess\":{\"errorMessage\":\"" + message + "\",\"rejectedSpans\":3}}")
                        .rejected())
                .isEqualTo(3);
    }

    private static OtlpResponse json(String body) {
        return OtlpResponse.parse(body.getBytes(StandardCharsets.UTF_8), "application/json");
    }

    @Test
    void skips_fields_it_does_not_know_in_protobuf() {
        byte[] body = {
            9,
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            8, // field 1, 64 bits
            (byte) 0xa5,
            6,
            1,
            2,
            3,
            4, // field 100, 32 bits
            26,
            2,
            1,
            1, // field 3, two bytes
            10,
            4,
            8,
            5,
            18,
            0, // field 1, the partial success
        };
        assertThat(OtlpResponse.parse(body, "application/x-protobuf")).isEqualTo(new OtlpResponse(5, ""));
    }
}
