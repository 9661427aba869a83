// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parser that other tests rely on. */
class StrictJsonTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{}x",
                "{} {}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":1,}",
                "[1,]",
                "[,1]",
                "{a:1}",
                "{\"a\" 1}",
                "NaN",
                "-Infinity",
                "01",
                "1.",
                ".5",
                "+1",
                "1e",
                "--1",
                "\"\\x\"",
                "\"\\u12g4\"",
                "\"\\ud800\"",
                "\"a",
                "tru",
                "\"a\nb\"",
                "\"\u0000\"",
                "\"\\u00\"",
                "nul",
                "'a'"
            })
    void refuses(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> StrictJson.read(text));
    }

    @Test
    void too_deep_nesting_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> StrictJson.read("[".repeat(40) + "]".repeat(40)));
    }

    @Test
    void every_kind_of_value_is_parsed() {
        assertThat(StrictJson.object(" {\"a\" : [1, -2.5e-3, true, false, null, {}, []], \"b\":\"\\u00e9\\n\\/😀\"} "))
                .containsEntry("b", "é\n/😀")
                .extractingByKey("a")
                .isEqualTo(Arrays.asList(
                        new BigDecimal("1"),
                        new BigDecimal("-2.5e-3"),
                        true,
                        false,
                        null,
                        java.util.Map.of(),
                        List.of()));
    }
}
