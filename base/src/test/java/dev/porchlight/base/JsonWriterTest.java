// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonWriterTest {
    @Test
    void members_are_written_in_the_given_order() {
        String json = JsonWriter.object(o -> o.text("challenge", "abc")
                .number("timeout", 300_000)
                .bool("rk", true)
                .bytes("id", Bytes.ofHex("fbff"))
                .object("rp", rp -> rp.text("name", "Porch \"light\"\n").text("id", "example.org"))
                .texts("hints", List.of())
                .objects(
                        "allow",
                        List.of("AQ", "Ag"),
                        (item, id) -> item.text("id", id).texts("transports", List.of("usb", "nfc"))));
        assertThat(json)
                .isEqualTo("{\"challenge\":\"abc\",\"timeout\":300000,\"rk\":true,\"id\":\"-_8\","
                        + "\"rp\":{\"name\":\"Porch \\\"light\\\"\\n\",\"id\":\"example.org\"},\"hints\":[],"
                        + "\"allow\":[{\"id\":\"AQ\",\"transports\":[\"usb\",\"nfc\"]},"
                        + "{\"id\":\"Ag\",\"transports\":[\"usb\",\"nfc\"]}]}");
    }

    @Test
    void decimals_are_written_and_non_finite_ones_omitted() {
        assertThat(JsonWriter.object(
                        o -> o.decimal("ms", 0.25).decimal("nan", Double.NaN).decimal("inf", 1 / 0.0)))
                .isEqualTo("{\"ms\":0.25}");
    }

    @Property
    void a_written_integer_parses_to_itself(@ForAll long value) throws MalformedException {
        JsonObject read = JsonObject.parse(JsonWriter.object(o -> o.number("n", value)), "");
        assertThat(read.optionalInteger("n")).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "1e3", "9223372036854775808", "-99999999999999999999999999", "\"1\"", "true", "[1]"})
    void a_value_that_is_not_a_64_bit_integer_is_malformed(String value) throws MalformedException {
        JsonObject read = JsonObject.parse("{\"n\":" + value + "}", "");
        assertThatThrownBy(() -> read.optionalInteger("n"))
                .isInstanceOf(MalformedException.class)
                .hasMessageContaining("not an integer");
    }

    @Test
    void an_integer_may_be_absent() throws MalformedException {
        assertThat(JsonObject.parse("{\"n\":null}", "").optionalInteger("n")).isNull();
        assertThat(JsonObject.parse("{}", "").optionalInteger("n")).isNull();
    }

    @Test
    void an_empty_object_is_written() {
        assertThat(JsonWriter.object(o -> {})).isEqualTo("{}");
    }

    @Property
    void a_written_string_parses_to_itself(@ForAll String name, @ForAll String value) throws MalformedException {
        JsonObject read = JsonObject.parse(JsonWriter.object(o -> o.text(name, value)), "");
        assertThat(read.names()).containsExactly(name);
        assertThat(read.text(name)).isEqualTo(value);
    }
}
