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

class AuthenticationResponseTest {
    private static final String WHOLE = """
            {"id":"AQID","rawId":"AQID","type":"public-key","clientExtensionResults":{},
             "response":{"clientDataJSON":"e30","authenticatorData":"AAE","signature":"MAA","userHandle":"_w"}}""";

    @Test
    void the_members_are_parsed() throws MalformedException {
        AuthenticationResponse response = AuthenticationResponse.parse(WHOLE);
        assertThat(response.rawId()).isEqualTo(Bytes.ofHex("010203"));
        assertThat(response.clientDataJson()).isEqualTo(Bytes.ofUtf8("{}"));
        assertThat(response.authenticatorData()).isEqualTo(Bytes.ofHex("0001"));
        assertThat(response.signature()).isEqualTo(Bytes.ofHex("3000"));
        assertThat(response.userHandle()).isEqualTo(Bytes.ofHex("ff"));
        assertThat(response.authenticatorAttachment()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"userHandle\":null", ",\"userHandle\":\"\""})
    void a_missing_null_or_empty_user_handle_is_absent(String nothing) throws MalformedException {
        String without = WHOLE.replace(",\"userHandle\":\"_w\"", nothing);
        assertThat(AuthenticationResponse.parse(without).userHandle()).isNull();
    }

    @Test
    void T43_the_user_handle_is_limited() throws MalformedException {
        String longest = Bytes.copyOf(new byte[64]).base64Url();
        assertThat(AuthenticationResponse.parse(WHOLE.replace("\"_w\"", '"' + longest + '"'))
                        .userHandle())
                .isEqualTo(Bytes.copyOf(new byte[64]));
        String longer = Bytes.copyOf(new byte[65]).base64Url();
        refuse(WHOLE.replace("\"_w\"", '"' + longer + '"'), "response.userHandle: longer than 64 bytes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "public-key            | public-keys           | type: not public-key",
                "{},                   | 1,                    | clientExtensionResults: not an object",
                "\"authenticatorData\" | \"a\"                 | response.authenticatorData: missing",
                "\"signature\":\"MAA\" | \"signature\":\"MAB\" | response.signature: not canonical base64url: padding or stray trailing bits",
                "\"signature\"         | \"s\"                 | response.signature: missing",
                "\"_w\"                | 1                     | response.userHandle: not a string",
                "\"_w\"                | \"_x\"                | response.userHandle: not canonical base64url: padding or stray trailing bits"
            })
    void an_invalid_response_is_refused_with_part_and_reason(String was, String is, String message) {
        assertThat(WHOLE).contains(was);
        refuse(WHOLE.replace(was, is), message);
    }

    @Test
    void T39_extension_outputs_change_nothing_else() throws MalformedException {
        String more = withResults("{\"prf\":{\"enabled\":true,\"results\":null},\"appid\":true}");
        assertThat(AuthenticationResponse.parse(more).signature())
                .isEqualTo(AuthenticationResponse.parse(WHOLE).signature());
    }

    @Test
    void T39_results_of_the_prf_extension_are_refused() {
        String message = "clientExtensionResults.prf.results: secrets, which the page must remove";
        refuse(withResults("{\"prf\":{\"results\":{\"first\":\"c2VjcmV0\"}}}"), message);
        refuse(withResults("{\"prf\":{\"results\":\"c2VjcmV0\"}}"), message);
    }

    private static String withResults(String results) {
        return WHOLE.replace("\"clientExtensionResults\":{}", "\"clientExtensionResults\":" + results);
    }

    @Test
    void a_registration_response_is_refused() {
        refuse("""
                {"id":"AQID","rawId":"AQID","type":"public-key","clientExtensionResults":{},
                 "response":{"clientDataJSON":"e30","attestationObject":"oA"}}""", "response.authenticatorData: missing");
    }

    @Property
    void arbitrary_text_is_malformed(@ForAll String noise) {
        assertThatThrownBy(() -> AuthenticationResponse.parse(noise)).isInstanceOf(MalformedException.class);
    }

    private static void refuse(String json, String message) {
        assertThatThrownBy(() -> AuthenticationResponse.parse(json))
                .isInstanceOf(MalformedException.class)
                .hasMessage(message);
    }
}
