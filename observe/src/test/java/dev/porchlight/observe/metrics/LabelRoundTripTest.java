// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

class LabelRoundTripTest {
    @Property(tries = 200)
    void every_label_value_round_trips(@ForAll @Size(max = 4) List<@From("values") String> values) {
        var registry = new MetricRegistry();
        Counter counter = registry.counter("c_total").help("h").labels("a", "b").register();
        Histogram histogram =
                registry.histogram("h").help("h").buckets(1).labels("a", "b").register();
        Map<Map<String, String>, Double> expected = new HashMap<>();
        for (String value : values) {
            counter.with(value, "fixed").inc();
            histogram.with(Map.of("a", value, "b", "fixed")).observe(2);
            expected.merge(Map.of("a", replaced(value), "b", "fixed"), 1.0, Double::sum);
        }
        for (Format format : List.of(Format.TEXT, Format.OPENMETRICS)) {
            Exposition read = Exposition.of(registry, format);
            assertThat(read.samples("c_total")).hasSize(expected.size());
            assertThat(read.samples("h_count")).hasSize(expected.size());
            expected.forEach((labels, count) -> {
                assertThat(read.value("c_total", labels)).isEqualTo(count);
                assertThat(read.value("h_count", labels)).isEqualTo(count);
            });
        }
    }

    @Property(tries = 200)
    void every_help_text_round_trips_with_line_breaks_as_line_feeds(@ForAll("values") String help) {
        var registry = new MetricRegistry();
        registry.gauge("g").help("h" + help).register();
        String lines = ("h" + replaced(help)).replace("\r\n", "\n").replace('\r', '\n');
        for (Format format : List.of(Format.TEXT, Format.OPENMETRICS)) {
            assertThat(Exposition.of(registry, format).family("g").help()).isEqualTo(lines);
        }
    }

    @Provide
    Arbitrary<String> values() {
        Arbitrary<String> awkward = Arbitraries.of(
                        "\\", "\"", "\n", "\r", "n", ",", "}", "{", "=", " # ", "\ud83d", "\ude00", "é", "\u0000")
                .list()
                .ofMaxSize(8)
                .map(parts -> String.join("", parts));
        return Arbitraries.oneOf(awkward, Arbitraries.strings().ofMaxLength(20));
    }

    private static String replaced(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(point -> out.appendCodePoint(point >= 0xd800 && point <= 0xdfff ? 0xfffd : point));
        return out.toString();
    }
}
