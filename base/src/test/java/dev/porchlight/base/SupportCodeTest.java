// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SupportCodeTest {
    @ParameterizedTest
    @CsvSource({
        "0000000000000000, 00-000",
        "ffffffffffffffff, ZZ-ZZZ",
        "0000007fffffffff, 00-000", // the bits after the 25th are ignored
        "0000008000000000, 00-001",
        "9b8977abcdef0123, KE-4QF"
    })
    void the_code_is_the_first_25_bits_of_the_trace_id(String high, String code) {
        assertThat(SupportCode.of(high + "0".repeat(16))).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "K0-41X",
                "k0-41x",
                "K041X",
                " ko-4ix ",
                "KO 4LX",
                "k0-41x.",
                "Support code K0-41X",
                "Support code - k0 - 41x.",
                "K0 - 41X",
                "K0 -41X",
                "K0\u201341X", // en dash
                "K0 \u2014 41X", // em dash
                "K0\u201141X", // non-breaking hyphen
                "K0\u221241X", // minus sign
                "K0\u00ad41X", // soft hyphen
                "K0\u00a041X", // no-break space
                "\u2066K0-41X\u2069" // isolated from right-to-left text
            })
    void a_code_is_read_in_every_typed_form(String typed) {
        assertThat(SupportCode.read(typed)).isEqualTo("K0-41X");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "K0-41", "K0-41XX", "KU-41X", "K041-X", "0af7651916cd43dd8448eb211c80319c", "<b>"})
    void other_text_is_not_a_code(String typed) {
        assertThat(SupportCode.read(typed)).isNull();
    }

    @Test
    void a_printed_code_is_read_back() {
        for (long high = 1; high != 0; high <<= 1) {
            String code = SupportCode.of(HexFormat.of().toHexDigits(high) + "0".repeat(16));
            assertThat(SupportCode.read(code)).isEqualTo(code);
        }
    }
}
