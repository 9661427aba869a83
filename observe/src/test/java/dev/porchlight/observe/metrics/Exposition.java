// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A parsed exposition. */
record Exposition(List<Family> families) {
    record Family(String name, String type, String unit, String help, List<Sample> samples) {}

    /** A sample; {@code exemplar} may be null. */
    record Sample(String name, Map<String, String> labels, String text, Exemplar exemplar) {
        double value() {
            return ExpositionParser.number(text);
        }
    }

    /** An exemplar; {@code seconds} is null without a timestamp. */
    record Exemplar(Map<String, String> labels, double value, String seconds) {}

    static Exposition of(MetricRegistry registry, Format format) {
        return ExpositionParser.parse(bytes(registry, format), format);
    }

    static String text(MetricRegistry registry, Format format) {
        return new String(bytes(registry, format), StandardCharsets.UTF_8);
    }

    static byte[] bytes(MetricRegistry registry, Format format) {
        var out = new ByteArrayOutputStream();
        try {
            registry.scrape(format, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    List<String> names() {
        return families.stream().map(Family::name).toList();
    }

    Family family(String name) {
        return families.stream()
                .filter(family -> family.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no family " + name + " among " + names()));
    }

    List<Sample> samples(String name) {
        return families.stream()
                .flatMap(family -> family.samples().stream())
                .filter(sample -> sample.name().equals(name))
                .toList();
    }

    double value(String name, Map<String, String> labels) {
        return samples(name).stream()
                .filter(sample -> sample.labels().equals(labels))
                .mapToDouble(Sample::value)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + labels + " among " + samples(name)));
    }

    double value(String name) {
        return value(name, Map.of());
    }
}
