// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonObjectTest {
    @Test
    void all_types_of_values_survive_a_round_trip_in_order() {
        String text = "{\"s\":\"a\\\"b\\\\c\",\"n\":-7,\"d\":1.5,\"t\":true,\"f\":false,"
                + "\"z\":null,\"o\":{\"e\":{}},\"a\":[1,[],\"x\"]}";
        assertThat(JsonObject.parse(text)).hasToString(text);
    }

    @Test
    void white_space_and_escapes_are_parsed() {
        JsonObject object = JsonObject.parse(" {\n\t\"a\" : \"\\u00e9\\/\\n\\ud83d\\udd11\" }\r\n");
        assertThat(object.string("a")).isEqualTo("é/\n\ud83d\udd11");
    }

    @Test
    void only_the_escapes_of_client_data_are_written() {
        assertThat(JsonObject.quote("\"\\\u0001\u007f\u2028é/")).isEqualTo("\"\\\"\\\\\\u0001\u007f\u2028é/\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "null",
                "{",
                "{}x",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{a:1}",
                "{'a':1}",
                "{\"a\":01}",
                "{\"a\":+1}",
                "{\"a\":tru}",
                "{\"a\":\"\n\"}",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u12g4\"}",
                "{\"a\":\"\\u1\"}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":1 /**/}",
                "{\"a\":[1 2]}"
            })
    void anything_but_one_json_object_is_refused(String text) {
        assertThatThrownBy(() -> JsonObject.parse(text)).isInstanceOf(JsonException.class);
    }

    @Test
    void deep_nesting_is_refused() {
        String deep = "{\"a\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
        assertThatThrownBy(() -> JsonObject.parse(deep)).isInstanceOf(JsonException.class);
    }

    @Test
    void a_wrong_type_is_reported_with_the_member_name() {
        JsonObject object = JsonObject.parse("{\"a\":1}");
        assertThatThrownBy(() -> object.string("a")).hasMessageContaining("\"a\"");
        assertThatThrownBy(() -> object.string("b")).hasMessageContaining("absent");
    }
}
