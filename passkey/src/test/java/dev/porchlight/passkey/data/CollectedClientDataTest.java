// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CollectedClientDataTest {
    private static final String REQUIRED =
            "\"type\":\"webauthn.get\",\"challenge\":\"AAAA\",\"origin\":\"https://example.org\"";

    @Test
    void the_members_are_parsed() throws MalformedException {
        CollectedClientData data = parse(
                "{" + REQUIRED + ",\"crossOrigin\":true,\"topOrigin\":\"https://example.com\",\"new_keys\":[{}]}");
        assertThat(data.type()).isEqualTo("webauthn.get");
        assertThat(data.challenge()).isEqualTo("AAAA");
        assertThat(data.origin()).isEqualTo("https://example.org");
        assertThat(data.crossOrigin()).isTrue();
        assertThat(data.topOrigin()).isEqualTo("https://example.com");
    }

    @Test
    void absent_members_are_false_or_null() throws MalformedException {
        CollectedClientData data = parse("{" + REQUIRED + "}");
        assertThat(data.crossOrigin()).isFalse();
        assertThat(data.topOrigin()).isNull();
        assertThat(data.tokenBound()).isFalse();
        assertThat(parse("{" + REQUIRED + ",\"crossOrigin\":false}").crossOrigin())
                .isFalse();
    }

    @Test
    void T40_the_hash_covers_the_bytes_as_received() throws MalformedException {
        Bytes raw = Bytes.ofUtf8("\uFEFF { " + REQUIRED.replace("/", "\\/") + ",\"x\":1.0 }\n");
        CollectedClientData data = CollectedClientData.parse(raw);
        assertThat(data.origin()).isEqualTo("https://example.org");
        assertThat(data.raw()).isEqualTo(raw);
        assertThat(data.hash()).isEqualTo(raw.sha256());
    }

    @Test
    void T40_only_one_byte_order_mark_is_dropped() {
        refuse("\uFEFF\uFEFF{" + REQUIRED + "}", "clientDataJSON: not JSON");
        refuse("\uFEFF", "clientDataJSON: not a JSON object");
        refuse("", "clientDataJSON: not a JSON object");
    }

    @Test
    void T40_an_origin_that_is_not_ascii_is_kept() throws MalformedException {
        assertThat(parse("{" + REQUIRED.replace("example", "exämple") + "}").origin())
                .isEqualTo("https://exämple.org");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ff", "c0af", "eda080", "f4908080", "e282"})
    void T40_invalid_utf_8_is_refused(String hex) {
        Bytes raw = Bytes.ofUtf8("{" + REQUIRED + ",\"x\":\"")
                .concat(Bytes.ofHex(hex))
                .concat(Bytes.ofUtf8("\"}"));
        assertThatThrownBy(() -> CollectedClientData.parse(raw)).hasMessage("clientDataJSON: not UTF-8");
    }

    @Test
    void T40_other_encodings_are_refused() {
        byte[] utf16 = ("{" + REQUIRED + "}").getBytes(java.nio.charset.StandardCharsets.UTF_16BE);
        assertThatThrownBy(() -> CollectedClientData.parse(Bytes.copyOf(utf16))).isInstanceOf(MalformedException.class);
    }

    @Test
    void T40_a_duplicate_member_is_refused() {
        refuse("{" + REQUIRED + ",\"type\":\"webauthn.get\"}", "clientDataJSON: duplicate member \"type\"");
        refuse("{" + REQUIRED + ",\"\\u0074ype\":\"webauthn.create\"}", "clientDataJSON: duplicate member \"type\"");
        refuse("{" + REQUIRED + ",\"new\":null,\"new\":null}", "clientDataJSON: duplicate member \"new\"");
        refuse("{" + REQUIRED + ",\"a\":{\"b\":1,\"b\":1}}", "clientDataJSON: duplicate member \"b\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"type", "challenge", "origin"})
    void a_missing_null_or_non_text_member_is_refused(String name) {
        String without = "{" + REQUIRED.replace('"' + name + '"', "\"other\"") + "}";
        refuse(without, "clientDataJSON." + name + ": missing");
        String open = without.substring(0, without.length() - 1);
        refuse(open + ",\"" + name + "\":null}", "clientDataJSON." + name + ": missing");
        refuse(open + ",\"" + name + "\":1}", "clientDataJSON." + name + ": not a string");
        refuse(open + ",\"" + name + "\":[\"x\"]}", "clientDataJSON." + name + ": not a string");
    }

    @Test
    void optional_members_of_the_wrong_type_are_refused() {
        refuse("{" + REQUIRED + ",\"crossOrigin\":\"false\"}", "clientDataJSON.crossOrigin: not true or false");
        refuse("{" + REQUIRED + ",\"crossOrigin\":0}", "clientDataJSON.crossOrigin: not true or false");
        refuse("{" + REQUIRED + ",\"topOrigin\":true}", "clientDataJSON.topOrigin: not a string");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "null",
                "\"x\"",
                "{} {}",
                "{}x",
                "{'a':1}",
                "{a:1}",
                "{\"a\":1,}",
                "{\"a\":NaN}",
                "{/**/}",
                "{"
            })
    void anything_but_one_json_object_is_refused(String json) {
        assertThatThrownBy(() -> parse(json))
                .isInstanceOf(MalformedException.class)
                .hasMessageMatching(
                        "clientDataJSON: (not (a JSON object|JSON)|unexpected content after the JSON object)|.*missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"supported", "not-supported"})
    void T38_supported_token_binding_is_accepted(String status) throws MalformedException {
        assertThat(parse("{" + REQUIRED + ",\"tokenBinding\":{\"status\":\"" + status + "\"}}")
                        .tokenBound())
                .isFalse();
    }

    @Test
    void T38_present_token_binding_with_an_id_is_a_claim() throws MalformedException {
        assertThat(parse("{" + REQUIRED + ",\"tokenBinding\":{\"status\":\"present\",\"id\":\"AQI\"}}")
                        .tokenBound())
                .isTrue();
    }

    @Test
    void T38_an_unknown_status_counts_as_absent() throws MalformedException {
        assertThat(parse("{" + REQUIRED + ",\"tokenBinding\":{\"status\":\"later\"}}")
                        .tokenBound())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"supported\"                         | tokenBinding: not an object",
                "{}                                    | tokenBinding.status: missing",
                "{\"status\":1}                        | tokenBinding.status: not a string",
                "{\"status\":\"present\"}              | tokenBinding.id: missing",
                "{\"status\":\"present\",\"id\":\"A\"} | tokenBinding.id: not base64url"
            })
    void T38_malformed_token_binding_is_refused(String binding, String message) {
        refuse("{" + REQUIRED + ",\"tokenBinding\":" + binding + "}", "clientDataJSON." + message);
    }

    @Test
    void T43_deep_nesting_and_long_text_are_refused() {
        refuse("{" + REQUIRED + ",\"x\":" + "[".repeat(16) + "]".repeat(16) + "}", "clientDataJSON: not JSON");
        refuse(
                "{" + REQUIRED + ",\"x\":\"" + "a".repeat(65_536) + "\"}",
                "clientDataJSON: longer than 65536 characters");
    }

    @Property
    void arbitrary_bytes_are_parsed_or_malformed(@ForAll byte[] noise) {
        try {
            CollectedClientData.parse(Bytes.copyOf(noise));
        } catch (MalformedException refused) {
            assertThat(refused.part()).startsWith("clientDataJSON");
        }
    }

    private static CollectedClientData parse(String json) throws MalformedException {
        return CollectedClientData.parse(Bytes.ofUtf8(json));
    }

    private static void refuse(String json, String message) {
        assertThatThrownBy(() -> parse(json))
                .isInstanceOf(MalformedException.class)
                .hasMessage(message);
    }
}
