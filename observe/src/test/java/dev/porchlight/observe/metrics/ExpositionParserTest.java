// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the parser that other tests rely on: each case is a valid exposition with one error. {@code |} stands for a
 * line feed.
 */
class ExpositionParserTest {
    @Test
    void a_valid_exposition_is_parsed() {
        Exposition read = ExpositionParser.parse("""
                # TYPE a counter
                # HELP a An \\"a\\".
                a_total{x="1"} 3 # {trace_id="ab"} 1 1.5
                a_created{x="1"} 1.7e+09
                a_total{x="q\\"b\\\\n\\n"} 0
                # TYPE h_seconds histogram
                # UNIT h_seconds seconds
                # HELP h_seconds h
                h_seconds_bucket{le="0.5"} 1 # {} 0.25
                h_seconds_bucket{le="1.0"} 1
                h_seconds_bucket{le="+Inf"} 2
                h_seconds_sum 7.25
                h_seconds_count 2
                # EOF
                """, Format.OPENMETRICS);
        assertThat(read.names()).containsExactly("a", "h_seconds");
        assertThat(read.family("a").help()).isEqualTo("An \"a\".");
        assertThat(read.value("a_total", Map.of("x", "1"))).isEqualTo(3);
        assertThat(read.value("a_total", Map.of("x", "q\"b\\n\n"))).isZero();
        assertThat(read.value("h_seconds_sum")).isEqualTo(7.25);
        assertThat(read.samples("h_seconds_bucket").get(0).exemplar().value()).isEqualTo(0.25);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "no EOF; # TYPE a gauge|# HELP a h|a 1|",
                "no EOF; # TYPE a gauge|# HELP a h|a 1|# EOF",
                "blank line; # TYPE a gauge|# HELP a h||a 1|# EOF|",
                "comment that; # a word|# EOF|",
                "TYPE is not first; # HELP a h|# TYPE a gauge|a 1|# EOF|",
                "UNIT after HELP; # TYPE a_seconds gauge|# HELP a_seconds h|# UNIT a_seconds seconds|a_seconds 1|# EOF|",
                "unit seconds of a; # TYPE a gauge|# UNIT a seconds|# HELP a h|a 1|# EOF|",
                "has no HELP; # TYPE a gauge|a 1|# EOF|",
                "second HELP; # TYPE a gauge|# HELP a h|# HELP a h|a 1|# EOF|",
                "no known TYPE; # TYPE a thing|# HELP a h|a 1|# EOF|",
                "HELP after samples; # TYPE a gauge|a 1|# HELP a h|# EOF|",
                "duplicate family; # TYPE a gauge|# HELP a h|a{x=\"1\"} 1|# TYPE b gauge|# HELP b h|b 1|# TYPE a gauge|# HELP a h|a{x=\"2\"} 1|# EOF|",
                "foreign sample; # TYPE a gauge|# HELP a h|b 1|# EOF|",
                "sample without a family; a 1|# EOF|",
                "duplicate sample; # TYPE a gauge|# HELP a h|a{x=\"1\"} 1|a{x=\"1\"} 2|# EOF|",
                "name clash; # TYPE a counter|# HELP a h|a_total 1|# TYPE a_created gauge|# HELP a_created h|a_created 1|# EOF|",
                "interleave; # TYPE a counter|# HELP a h|a_total{x=\"1\"} 1|a_total{x=\"2\"} 1|a_created{x=\"1\"} 1|# EOF|",
                "foreign sample; # TYPE a counter|# HELP a h|a 1|# EOF|",
                "below zero; # TYPE a counter|# HELP a h|a_total -1|# EOF|",
                "below zero; # TYPE a counter|# HELP a h|a_total NaN|# EOF|",
                "timestamp; # TYPE a gauge|# HELP a h|a 1 2|# EOF|",
                "not a number; # TYPE a gauge|# HELP a h|a 1E3|# EOF|",
                "not a number; # TYPE a gauge|# HELP a h|a Infinity|# EOF|",
                "empty braces; # TYPE a gauge|# HELP a h|a{} 1|# EOF|",
                "bad label; # TYPE a gauge|# HELP a h|a{x =\"1\"} 1|# EOF|",
                "bad label name; # TYPE a gauge|# HELP a h|a{__x=\"1\"} 1|# EOF|",
                "duplicate label; # TYPE a gauge|# HELP a h|a{x=\"1\",x=\"1\"} 1|# EOF|",
                "bad escape; # TYPE a gauge|# HELP a h|a{x=\"\\t\"} 1|# EOF|",
                "labels do not end; # TYPE a gauge|# HELP a h|a{x=\"1} 1|# EOF|",
                "bare quote; # TYPE a gauge|# HELP a \"h\"|a 1|# EOF|",
                "exemplar on; # TYPE a gauge|# HELP a h|a 1 # {} 1|# EOF|",
                "le does not ascend; # TYPE h histogram|# HELP h h|h_bucket{le=\"2.0\"} 1|h_bucket{le=\"1.0\"} 1|h_bucket{le=\"+Inf\"} 1|h_sum 1|h_count 1|# EOF|",
                "not canonical; # TYPE h histogram|# HELP h h|h_bucket{le=\"1\"} 1|h_bucket{le=\"+Inf\"} 1|h_sum 1|h_count 1|# EOF|",
                "not canonical; # TYPE h histogram|# HELP h h|h_bucket{le=\"1000000.0\"} 1|h_bucket{le=\"+Inf\"} 1|h_sum 1|h_count 1|# EOF|",
                "not canonical; # TYPE h histogram|# HELP h h|h_bucket{le=\"1e-04\"} 1|h_bucket{le=\"+Inf\"} 1|h_sum 1|h_count 1|# EOF|",
                "not canonical; # TYPE h histogram|# HELP h h|h_bucket{le=\"0.50\"} 1|h_bucket{le=\"+Inf\"} 1|h_sum 1|h_count 1|# EOF|",
                "not cumulative; # TYPE h histogram|# HELP h h|h_bucket{le=\"1.0\"} 2|h_bucket{le=\"+Inf\"} 1|h_sum 1|h_count 1|# EOF|",
                "not whole; # TYPE h histogram|# HELP h h|h_bucket{le=\"1.0\"} 0.5|h_bucket{le=\"+Inf\"} 1|h_sum 1|h_count 1|# EOF|",
                "no bucket up to; # TYPE h histogram|# HELP h h|h_bucket{le=\"1.0\"} 1|h_sum 1|h_count 1|# EOF|",
                "differs from count; # TYPE h histogram|# HELP h h|h_bucket{le=\"+Inf\"} 1|h_sum 1|h_count 2|# EOF|",
                "sum and count; # TYPE h histogram|# HELP h h|h_bucket{le=\"+Inf\"} 1|h_count 1|# EOF|",
                "buckets are not first; # TYPE h histogram|# HELP h h|h_sum 1|h_bucket{le=\"+Inf\"} 1|h_count 1|# EOF|",
                "le in the wrong place; # TYPE h histogram|# HELP h h|h_bucket 1|h_bucket{le=\"+Inf\"} 1|h_sum 1|h_count 1|# EOF|",
                "outside its bucket; # TYPE h histogram|# HELP h h|h_bucket{le=\"1.0\"} 1 # {} 1.5|h_bucket{le=\"+Inf\"} 1|h_sum 1|h_count 1|# EOF|",
                "outside its bucket; # TYPE h histogram|# HELP h h|h_bucket{le=\"1.0\"} 1|h_bucket{le=\"+Inf\"} 2 # {} 1|h_sum 1|h_count 2|# EOF|",
                "exemplar on; # TYPE h histogram|# HELP h h|h_bucket{le=\"+Inf\"} 1|h_sum 1|h_count 1 # {} 1|# EOF|",
                "exemplar without labels; # TYPE a counter|# HELP a h|a_total 1 # 1|# EOF|",
                "bad exemplar timestamp; # TYPE a counter|# HELP a h|a_total 1 # {} 1 x|# EOF|",
            })
    void text_that_openmetrics_forbids_is_refused(String why, String text) {
        refuses(why, text, Format.OPENMETRICS);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "last line; # HELP a h|# TYPE a gauge|a 1",
                "carriage return; # HELP a h|# TYPE a gauge|a 1\r|",
                "comment that; # HELP a h|# TYPE a gauge|a 1|# EOF|",
                "UNIT in text; # HELP a_s h|# TYPE a_s gauge|# UNIT a_s s|a_s 1|",
                "exemplar in text; # HELP a_total h|# TYPE a_total counter|a_total 1 # {} 1|",
                "foreign sample; # HELP a_total h|# TYPE a_total counter|a 1|",
                "bad escape in HELP; # HELP a \\\"h|# TYPE a gauge|a 1|",
            })
    void text_that_the_text_format_forbids_is_refused(String why, String text) {
        refuses(why, text, Format.TEXT);
    }

    @Test
    void exemplar_labels_of_more_than_128_code_points_are_refused() {
        String sound = "# TYPE a counter|# HELP a h|a_total 1 # {trace_id=\"%s\"} 1|# EOF|";
        ExpositionParser.parse(sound.formatted("é".repeat(120)).replace('|', '\n'), Format.OPENMETRICS);
        refuses("code points", sound.formatted("é".repeat(121)), Format.OPENMETRICS);
    }

    @Test
    void a_text_counter_without_total_is_parsed() {
        assertThat(ExpositionParser.parse("# HELP a h\n# TYPE a counter\na 1\n", Format.TEXT)
                        .value("a"))
                .isEqualTo(1);
    }

    @Test
    void invalid_utf_8_is_refused() {
        byte[] latin = "# HELP a é\n# TYPE a gauge\na 1\n".getBytes(StandardCharsets.ISO_8859_1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExpositionParser.parse(latin, Format.TEXT))
                .withMessage("not UTF-8");
    }

    private static void refuses(String why, String text, Format format) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExpositionParser.parse(text.replace('|', '\n'), format))
                .withMessageContaining(why);
    }
}
