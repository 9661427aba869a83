// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Base64UrlTest {
    @Test
    void canonical_text_is_decoded() throws MalformedException {
        assertThat(Base64Url.decode("-_8", 2, "id")).isEqualTo(Bytes.ofHex("fbff"));
        assertThat(Base64Url.decode("AA", 1, "id")).isEqualTo(Bytes.ofHex("00"));
        assertThat(Base64Url.decode("", 0, "id")).isEqualTo(Bytes.EMPTY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AB",
                "AP",
                "AAB",
                "AAD",
                "AA==",
                "AA=",
                "AAA=",
                "A",
                "AAAAA",
                "+/8",
                "A A",
                "AA\n",
                "\nAA",
                "=",
                "Ä",
                "AA\u0000"
            })
    void T41_non_canonical_text_is_refused(String text) {
        assertThatThrownBy(() -> Base64Url.decode(text, 100, "id"))
                .isInstanceOf(MalformedException.class)
                .hasMessageStartingWith("id: not ");
    }

    @Test
    void text_longer_than_the_limit_is_refused() throws MalformedException {
        assertThat(Base64Url.decode("AAAA", 3, "id").size()).isEqualTo(3);
        assertThatThrownBy(() -> Base64Url.decode("AAAAAA", 3, "id")).hasMessage("id: longer than 3 bytes");
        assertThatThrownBy(() -> Base64Url.decode("AAA", 1, "id")).hasMessage("id: longer than 1 bytes");
        assertThatThrownBy(() -> Base64Url.decode("AA", 0, "id")).hasMessage("id: longer than 0 bytes");
    }

    @Property
    void encoded_bytes_decode_to_themselves(@ForAll byte[] array) throws MalformedException {
        Bytes bytes = Bytes.copyOf(array);
        assertThat(Base64Url.decode(bytes.base64Url(), array.length, "id")).isEqualTo(bytes);
    }

    @Property
    void no_two_texts_decode_to_the_same_bytes(
            @ForAll @CharRange(from = '-', to = 'z') @StringLength(max = 8) String text) {
        Bytes decoded;
        try {
            decoded = Base64Url.decode(text, 8, "id");
        } catch (MalformedException refused) {
            return;
        }
        assertThat(decoded.base64Url()).isEqualTo(text);
    }

    @Property
    void arbitrary_text_is_decoded_or_malformed(@ForAll byte[] noise) {
        try {
            Base64Url.decode(new String(noise, StandardCharsets.ISO_8859_1), 1000, "id");
        } catch (MalformedException refused) {
            assertThat(refused.part()).isEqualTo("id");
        }
    }
}
