// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class WireBufferTest {
    private final WireBuffer buffer = new WireBuffer(0);

    @Property
    void every_string_is_encoded_as_by_the_jdk_with_the_replacement_character(@ForAll String text) {
        buffer.clear();
        byte[] expected = replaceLoneSurrogates(text).getBytes(StandardCharsets.UTF_8);
        assertThat(buffer.utf8(text).toByteArray()).isEqualTo(expected);
    }

    @Property
    void every_long_is_written_as_by_the_jdk(@ForAll long value) {
        buffer.clear();
        assertThat(buffer.decimal(value).toString()).isEqualTo(Long.toString(value));
    }

    @Property
    void every_long_in_hex_is_written_as_by_the_jdk(@ForAll long value) {
        buffer.clear();
        assertThat(buffer.hex(value).toString()).isEqualTo(String.format("%016x", value));
    }

    @Property
    void every_json_string_round_trips(@ForAll String text) {
        buffer.clear();
        String json = buffer.jsonString(text).toString();
        assertThat(json).matches("(?s)\"([^\"\\\\\\p{Cntrl}]|\\\\([\"\\\\nrt]|u[0-9a-f]{4}))*\"");
        assertThat(unescaped(json.substring(1, json.length() - 1))).isEqualTo(replaceLoneSurrogates(text));
    }

    @Test
    void the_extreme_longs_are_written() {
        buffer.decimal(Long.MIN_VALUE).put(' ').decimal(Long.MAX_VALUE).put(' ').decimal(0);
        assertThat(buffer).hasToString("-9223372036854775808 9223372036854775807 0");
    }

    @Test
    void characters_that_could_break_a_line_or_control_a_terminal_are_escaped() {
        buffer.jsonString("a\"b\\c\n\r\t\u0000\u001b\u007f\u2028\u2029é\ud83d\ude00\ud83d");
        assertThat(buffer)
                .hasToString("\"a\\\"b\\\\c\\n\\r\\t\\u0000\\u001b\\u007f\\u2028\\u2029é\ud83d\ude00\ufffd\"");
    }

    @Test
    void c1_controls_and_bidirectional_marks_are_escaped() {
        buffer.jsonString("\u0085\u009b31m\u202eabc\u2066");
        assertThat(buffer).hasToString("\"\\u0085\\u009b31m\\u202eabc\\u2066\"");
    }

    @Test
    void quotes_and_backslashes_in_printable_text_are_not_escaped() {
        String text = "say \"C:\\new\"\n\u001b[31m\u009b é\ud83d\ude00\ud83d";
        assertThat(buffer.printable(text, 0, text.length()))
                .hasToString("say \"C:\\new\"\\n\\u001b[31m\\u009b é\ud83d\ude00\ufffd");
    }

    @Test
    void decimals_are_padded_and_hex_has_sixteen_digits() {
        buffer.paddedDecimal(7, 3).put(' ').paddedDecimal(1234, 3).put(' ').hex(0xabcL);
        assertThat(buffer).hasToString("007 1234 0000000000000abc");
    }

    private static String unescaped(String json) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c != '\\') {
                text.append(c);
                continue;
            }
            char escaped = json.charAt(++i);
            switch (escaped) {
                case 'n' -> text.append('\n');
                case 'r' -> text.append('\r');
                case 't' -> text.append('\t');
                case 'u' -> {
                    text.append((char) Integer.parseInt(json.substring(i + 1, i + 5), 16));
                    i += 4;
                }
                default -> text.append(escaped);
            }
        }
        return text.toString();
    }

    private static String replaceLoneSurrogates(String text) {
        return text.codePoints()
                .map(point -> point >= 0xd800 && point <= 0xdfff ? 0xfffd : point)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
