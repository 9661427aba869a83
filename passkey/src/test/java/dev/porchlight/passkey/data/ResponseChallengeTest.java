// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import static java.nio.charset.StandardCharsets.UTF_16;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The challenge is found in malformed responses. */
class ResponseChallengeTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"challenge\":\"abc\"}",
                "\uFEFF{\"challenge\":\"abc\"}",
                "{\"challenge\":\"abc\"} and more",
                "{\"challenge\":\"abc\",\"challenge\":\"def\"}",
                "{\"challenge\":\"abc\",\"origin\":",
                "{\"challenge\":1,\"challenge\":\"abc\"}",
                "{\"origin\":{\"challenge\":\"def\"},\"challenge\":\"abc\"}",
                "{\"type\":[\"challenge\",{\"challenge\":\"def\"}],\"challenge\":\"abc\"}",
                "{\"type\":\"\uFFFD\",\"\\u0063hallenge\":\"abc\"}"
            })
    void the_first_challenge_is_found(String clientData) {
        assertThat(ResponseChallenge.inClientData(Bytes.ofUtf8(clientData))).isEqualTo("abc");
        assertThat(ResponseChallenge.inResponse(response(clientData))).isEqualTo("abc");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[",
                "\"challenge\"",
                "[\"challenge\",\"abc\"]",
                "{\"challenge\"",
                "{\"challenge\":",
                "{\"challenge\":\"abc",
                "{\"challenge\":{\"challenge\":\"abc\"}}",
                "{\"challenge\":null}",
                "{\"Challenge\":\"abc\"}",
                "{broken,\"challenge\":\"abc\"}",
                "\uFEFF\uFEFF{\"challenge\":\"abc\"}"
            })
    void a_missing_challenge_is_not_found(String clientData) {
        assertThat(ResponseChallenge.inClientData(Bytes.ofUtf8(clientData))).isNull();
        assertThat(ResponseChallenge.inResponse(response(clientData))).isNull();
    }

    @Test
    void padding_and_line_breaks_are_ignored() {
        String spelled = Bytes.ofUtf8("{\"challenge\":\"abc\"}").base64Url();

        assertThat(ResponseChallenge.inResponse("{\"response\":{\"clientDataJSON\":\"" + spelled.substring(0, 6)
                        + "\\r\\n" + spelled.substring(6) + "==\"}}"))
                .isEqualTo("abc");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{\"clientDataJSON\":\"e30\"}",
                "{\"response\":\"clientDataJSON\"}",
                "{\"response\":{\"clientDataJSON\":7}}",
                "{\"response\":{\"clientDataJSON\":\"*\"}}",
                "{\"response\":{\"clientDataJSON\":\"e30aa\"}}",
                "{\"response\":[{\"clientDataJSON\":\"e30\"}]}"
            })
    void other_text_has_no_challenge(String json) {
        assertThat(ResponseChallenge.inResponse(json)).isNull();
    }

    @Test
    void other_encodings_have_no_challenge() {
        assertThat(ResponseChallenge.inClientData(Bytes.copyOf("{\"challenge\":\"abc\"}".getBytes(UTF_16))))
                .isNull();
    }

    @Test
    void size_and_depth_are_limited() {
        String tail = " ".repeat(JsonObject.MAX_CHARS);
        assertThat(ResponseChallenge.inClientData(Bytes.ofUtf8("{\"challenge\":\"abc\"}" + tail)))
                .isNull();
        assertThat(ResponseChallenge.inResponse(response("{\"challenge\":\"abc\"}") + tail))
                .isNull();
        assertThat(ResponseChallenge.inClientData(
                        Bytes.ofUtf8("{\"a\":" + "[".repeat(16) + "]".repeat(16) + ",\"challenge\":\"abc\"}")))
                .isNull();
    }

    private static String response(String clientData) {
        return "{\"id\":[{}],\"response\":{\"clientDataJSON\":\""
                + Bytes.ofUtf8(clientData).base64Url() + "\"";
    }
}
