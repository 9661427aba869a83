// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class JsonWriterTest {
    @Test
    void prints_members_in_the_order_given() {
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
    void prints_an_empty_object() {
        assertThat(JsonWriter.object(o -> {})).isEqualTo("{}");
    }

    @Property
    void what_is_printed_reads_as_itself(@ForAll String name, @ForAll String value) throws MalformedException {
        JsonObject read = JsonObject.parse(JsonWriter.object(o -> o.text(name, value)), "");
        assertThat(read.names()).containsExactly(name);
        assertThat(read.text(name)).isEqualTo(value);
    }
}
