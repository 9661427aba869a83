// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

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
    void any_response_body_is_tolerated(@ForAll byte[] body) {
        for (String type : List.of("application/json", "application/x-protobuf", "text/html", "")) {
            OtlpResponse response = OtlpResponse.parse(body, type);
            assertThat(response.message()).doesNotContain("\n").hasSizeLessThanOrEqualTo(500);
        }
    }

    @Test
    void the_message_is_bounded() {
        String body = "{\"message\":\"" + "x".repeat(10_000) + "\"}";
        assertThat(OtlpResponse.parse(body.getBytes(StandardCharsets.UTF_8), "application/json")
                        .message())
                .hasSize(500);
    }

    @Test
    void escapes_of_a_json_message_are_resolved() {
        assertThat(json("{ \"message\" : \"a\\n\\/\\\"\\u00e9\\\\\" }"))
                .isEqualTo(new OtlpResponse(0, "a /\"\u00e9\\"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{\"message\"}", "{\"message\":1}", "tru", "{a:1}"})
    void an_unreadable_json_body_is_an_empty_response(String body) {
        assertThat(json(body)).isEqualTo(new OtlpResponse(0, ""));
    }

    @Test
    void a_json_body_of_only_escapes_or_brackets_is_tolerated() {
        assertThat(json("[".repeat(100_000))).isEqualTo(new OtlpResponse(0, ""));
        assertThat(json("{\"message\":\"" + "\\n".repeat(100_000)).message()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a \\\\/ b", "a \\\\u0041 b", "a \\u12", "\\x"})
    void rejected_spans_are_read_regardless_of_the_message(String message) {
        assertThat(json("{\"partialSuccess\":{\"errorMessage\":\"" + message + "\",\"rejectedSpans\":\"3\"}}")
                        .rejected())
                .isEqualTo(3);
    }

    @Test
    void rejected_spans_are_read_after_a_long_message() {
        String message = "x".repeat(10_000);
        assertThat(json("{\"partialSuccess\":{\"errorMessage\":\"" + message + "\",\"rejectedSpans\":3}}")
                        .rejected())
                .isEqualTo(3);
    }

    private static OtlpResponse json(String body) {
        return OtlpResponse.parse(body.getBytes(StandardCharsets.UTF_8), "application/json");
    }

    @Test
    void unknown_protobuf_fields_are_skipped() {
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
