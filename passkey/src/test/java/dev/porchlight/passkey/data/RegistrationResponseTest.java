// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegistrationResponseTest {
    private static final JsonObject NO_EXTENSIONS = JsonObject.of(Map.of());
    private static final String WHOLE = """
            {"id":"AQID","rawId":"AQID","type":"public-key","authenticatorAttachment":"platform",
             "clientExtensionResults":{"credProps":{"rk":true}},
             "response":{"clientDataJSON":"e30","attestationObject":"oA","transports":["internal","new-one"]}}""";

    @Test
    void the_members_are_parsed() throws MalformedException {
        RegistrationResponse response = RegistrationResponse.parse(WHOLE);
        assertThat(response.rawId()).isEqualTo(Bytes.ofHex("010203"));
        assertThat(response.clientDataJson()).isEqualTo(Bytes.ofUtf8("{}"));
        assertThat(response.attestationObject()).isEqualTo(Bytes.ofHex("a0"));
        assertThat(response.transports()).containsExactly("internal", "new-one");
        assertThat(response.authenticatorAttachment()).isEqualTo("platform");
        assertThat(response.residentKey()).isTrue();
    }

    @Test
    void members_missing_in_older_browsers_are_optional() throws MalformedException {
        RegistrationResponse response = RegistrationResponse.parse("""
                {"id":"AQID","rawId":"AQID","type":"public-key","clientExtensionResults":{},
                 "response":{"clientDataJSON":"e30","attestationObject":"oA"}}""");
        assertThat(response.transports()).isEqualTo(List.of());
        assertThat(response.authenticatorAttachment()).isNull();
        assertThat(response.residentKey()).isNull();
    }

    @Test
    void unknown_members_and_unauthenticated_copies_are_ignored() throws MalformedException {
        String more = WHOLE.replace(
                "\"clientDataJSON\"",
                "\"authenticatorData\":\"!\",\"publicKey\":7,\"publicKeyAlgorithm\":-257,\"x\":[[1e9]],\"clientDataJSON\"");
        assertIsWhole(more);
    }

    @Test
    void T39_extension_outputs_change_nothing_else() throws MalformedException {
        String more = WHOLE.replace("{\"credProps\"", "{\"prf\":{\"enabled\":true},\"appid\":true,\"credProps\"");
        assertIsWhole(more);
    }

    @Test
    void T39_results_of_the_prf_extension_are_refused() {
        refuse(
                WHOLE.replace("{\"credProps\"", "{\"prf\":{\"results\":{\"first\":\"c2VjcmV0\"}},\"credProps\""),
                "clientExtensionResults.prf.results: secrets, which the page must remove");
    }

    private static void assertIsWhole(String json) throws MalformedException {
        assertThat(withoutExtensions(json)).isEqualTo(withoutExtensions(WHOLE));
    }

    private static RegistrationResponse withoutExtensions(String json) throws MalformedException {
        RegistrationResponse it = RegistrationResponse.parse(json);
        return new RegistrationResponse(
                it.id(),
                it.rawId(),
                it.clientDataJson(),
                it.attestationObject(),
                it.transports(),
                it.authenticatorAttachment(),
                it.residentKey(),
                NO_EXTENSIONS);
    }

    @Test
    void an_unknown_attachment_counts_as_absent() throws MalformedException {
        assertThat(RegistrationResponse.parse(WHOLE.replace("\"platform\"", "\"roaming\""))
                        .authenticatorAttachment())
                .isNull();
        assertThat(RegistrationResponse.parse(WHOLE.replace("\"platform\"", "\"cross-platform\""))
                        .authenticatorAttachment())
                .isEqualTo("cross-platform");
        assertThat(RegistrationResponse.parse(WHOLE.replace("\"platform\"", "null"))
                        .authenticatorAttachment())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"id\":\"AQID\"                        | \"id\":\"\"                 | id: empty",
                "\"rawId\":\"AQID\"                     | \"rawId\":\"\"              | rawId: empty",
                "\"id\":\"AQID\"                        | \"id\":1                    | id: not a string",
                "\"id\":\"AQID\"                        | \"Id\":\"AQID\"             | id: missing",
                "\"rawId\":\"AQID\"                     | \"rawId\":null              | rawId: missing",
                "\"rawId\":\"AQID\"                     | \"rawId\":\"AQID=\"         | rawId: not base64url",
                "\"type\":\"public-key\"                | \"type\":\"password\"       | type: not public-key",
                "\"type\":\"public-key\"                | \"t\":1                     | type: missing",
                "{\"credProps\":{\"rk\":true}}          | null                        | clientExtensionResults: missing",
                "{\"credProps\":{\"rk\":true}}          | []                          | clientExtensionResults: not an object",
                "{\"rk\":true}                          | 1                           | clientExtensionResults.credProps: not an object",
                "{\"rk\":true}                          | {\"rk\":1}                  | clientExtensionResults.credProps.rk: not true or false",
                "\"platform\"                           | true                        | authenticatorAttachment: not a string",
                "\"response\"                           | \"respond\"                 | response: missing",
                "\"clientDataJSON\":\"e30\"             | \"clientDataJSON\":\"e31\"  | response.clientDataJSON: not canonical base64url: padding or stray trailing bits",
                "\"clientDataJSON\"                     | \"clientData\"              | response.clientDataJSON: missing",
                "\"attestationObject\":\"oA\"           | \"attestationObject\":{}    | response.attestationObject: not a string",
                "\"attestationObject\"                  | \"x\"                       | response.attestationObject: missing",
                "[\"internal\",\"new-one\"]             | \"internal\"                | response.transports: not an array",
                "[\"internal\",\"new-one\"]             | [\"internal\",1]            | response.transports: contains an element that is not a string",
                "[\"internal\",\"new-one\"]             | [\"\"]                      | response.transports: an entry that is not printable ASCII",
                "[\"internal\",\"new-one\"]             | [\"a b\"]                   | response.transports: an entry that is not printable ASCII",
                "[\"internal\",\"new-one\"]             | [\"\\u0000\"]               | response.transports: an entry that is not printable ASCII",
                "[\"internal\",\"new-one\"]             | [\"\\ud800\"]               | response.transports: an entry that is not printable ASCII",
                "\"type\":\"public-key\"                | \"type\":\"public-key\",\"id\":\"AQID\" | JSON: duplicate member \"id\""
            })
    void an_invalid_response_is_refused_with_part_and_reason(String was, String is, String message) {
        assertThat(WHOLE).contains(was);
        refuse(WHOLE.replace(was, is), message);
    }

    @Test
    void T43_transports_are_limited() throws MalformedException {
        String sixteen = "\"usb\",".repeat(15) + '"' + "a".repeat(32) + '"';
        assertThat(RegistrationResponse.parse(withTransports(sixteen)).transports())
                .hasSize(16);
        refuse(withTransports(sixteen + ",\"usb\""), "response.transports: more than 16");
        refuse(withTransports('"' + "a".repeat(33) + '"'), "response.transports: an entry that is not printable ASCII");
    }

    @Test
    void T43_the_credential_id_is_limited() throws MalformedException {
        String longest = Bytes.copyOf(new byte[1023]).base64Url();
        assertThat(RegistrationResponse.parse(WHOLE.replace("AQID", longest))
                        .rawId()
                        .size())
                .isEqualTo(1023);
        String longer = Bytes.copyOf(new byte[1024]).base64Url();
        refuse(WHOLE.replace("AQID", longer), "id: longer than 1023 bytes");
    }

    @Test
    void T43_size_and_depth_are_limited() throws MalformedException {
        String padding = " ".repeat(65_536 - WHOLE.length());
        assertIsWhole(WHOLE + padding);
        refuse(WHOLE + padding + " ", "JSON: longer than 65536 characters");
        refuse("{\"a\":" + "[".repeat(30_000) + "]".repeat(30_000) + "}", "JSON: not JSON");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "\"x\"", "{", "{}{}", "\uFEFF{}", "{\"a\":tru}", "{\"a\":\"\n\"}"})
    void anything_but_one_json_object_is_refused(String json) {
        assertThatThrownBy(() -> RegistrationResponse.parse(json))
                .isInstanceOf(MalformedException.class)
                .hasMessageStartingWith("JSON: ");
    }

    @Property
    void arbitrary_text_is_malformed(@ForAll String noise) {
        assertThatThrownBy(() -> RegistrationResponse.parse(noise)).isInstanceOf(MalformedException.class);
    }

    private static String withTransports(String transports) {
        return WHOLE.replace("\"internal\",\"new-one\"", transports);
    }

    private static void refuse(String json, String message) {
        assertThatThrownBy(() -> RegistrationResponse.parse(json))
                .isInstanceOf(MalformedException.class)
                .hasMessage(message);
    }
}
