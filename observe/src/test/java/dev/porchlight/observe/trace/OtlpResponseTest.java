// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
    void reads_json() {
        assertThat(JsonReader.read(
                        " { \"a\" : [ 1 , -2.5e3, true, false, null, {} , [] ] , \"\\u00e9\\n\\/\" : \"\" } "))
                .isEqualTo(
                        Map.of("a", Arrays.asList(1.0, -2500.0, true, false, null, Map.of(), List.of()), "é\n/", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"a\"}",
                "{\"a\":1,}",
                "[1 2]",
                "[1,]",
                "\"a",
                "\"\\x\"",
                "\"\\u00g0\"",
                "{} {}",
                "tru",
                "{a:1}"
            })
    void refuses_json_that_is_none(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> JsonReader.read(text));
    }

    @Test
    void refuses_json_that_is_too_deep() {
        assertThatIllegalArgumentException().isThrownBy(() -> JsonReader.read("[".repeat(100_000)));
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
