// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PseudonymsTest {
    private static final byte[] KEY = "0123456789abcdef".getBytes(US_ASCII);

    @Test
    void a_pseudonym_is_a_prefix_of_hmac_sha256() {
        // RFC 4231, test case 1: a key of twenty 0x0b and the text "Hi There"
        byte[] key = HexFormat.of().parseHex("0b".repeat(20));
        byte[] start = HexFormat.of().parseHex("b0344c61d8db38535ca8afce");
        assertThat(new Pseudonyms(key).of("Hi There"))
                .isEqualTo(java.util.Base64.getUrlEncoder().encodeToString(start));
    }

    @Test
    void a_pseudonym_depends_only_on_identifier_and_key() {
        Pseudonyms names = new Pseudonyms(KEY);
        assertThat(names.of("alice")).hasSize(16).isEqualTo(new Pseudonyms(KEY).of("alice"));
        assertThat(names.of("alice")).isNotEqualTo(names.of("bob"));
        assertThat(names.of("alice")).isNotEqualTo(new Pseudonyms("fedcba9876543210".getBytes(US_ASCII)).of("alice"));
    }

    @Test
    void a_short_key_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Pseudonyms(new byte[15]));
    }
}
