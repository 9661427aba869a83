// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static dev.porchlight.observe.metrics.ExpositionParser.number;
import static dev.porchlight.observe.metrics.ExpositionParser.require;

import dev.porchlight.observe.metrics.Exposition.Sample;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules for the samples of a family. */
final class FamilyRules {
    private final Exposition.Family family;
    private final boolean openMetrics;

    private FamilyRules(Exposition.Family family, boolean openMetrics) {
        this.family = family;
        this.openMetrics = openMetrics;
    }

    static void check(List<Exposition.Family> families, Format format) {
        boolean openMetrics = format == Format.OPENMETRICS;
        Set<String> taken = new HashSet<>();
        for (Exposition.Family family : families) {
            Set<String> names = new HashSet<>(List.of(family.name()));
            suffixes(family.type(), openMetrics).forEach(suffix -> names.add(family.name() + suffix));
            names.forEach(name -> require(taken.add(name), "name clash: " + name));
            new FamilyRules(family, openMetrics).check();
        }
    }

    private static List<String> suffixes(String type, boolean openMetrics) {
        return switch (type) {
            case "counter" -> openMetrics ? List.of("_total", "_created") : List.of("");
            case "gauge" -> List.of("");
            case "histogram" ->
                openMetrics ? List.of("_bucket", "_sum", "_count", "_created") : List.of("_bucket", "_sum", "_count");
            case "summary" -> openMetrics ? List.of("_sum", "_count", "_created") : List.of("_sum", "_count");
            default -> throw new IllegalArgumentException(type);
        };
    }

    private void check() {
        String unit = family.unit();
        require(unit.isEmpty() || family.name().endsWith("_" + unit), "unit " + unit + " of " + family.name());
        groups().values().forEach(group -> {
            switch (family.type()) {
                case "histogram" -> histogram(group);
                case "counter" -> counter(group);
                default -> group.forEach(sample -> require(sample.exemplar() == null, "exemplar on " + sample));
            }
        });
    }

    /** Groups the samples by label set without {@code le}. Requires contiguous sets and no duplicates. */
    private Map<Map<String, String>, List<Sample>> groups() {
        Map<Map<String, String>, List<Sample>> groups = new LinkedHashMap<>();
        Map<String, String> last = null;
        Set<Object> seen = new HashSet<>();
        for (Sample sample : family.samples()) {
            String suffix = suffix(sample);
            require(
                    suffixes(family.type(), openMetrics).contains(suffix),
                    "foreign sample " + sample.name() + " in " + family.name());
            require(seen.add(List.of(sample.name(), sample.labels())), "duplicate sample " + sample);
            Map<String, String> key = new LinkedHashMap<>(sample.labels());
            if (family.type().equals("histogram")) {
                require(suffix.equals("_bucket") == key.containsKey("le"), "le in the wrong place: " + sample);
                key.remove("le");
            }
            require(key.equals(last) || !groups.containsKey(key), "label sets interleave: " + key);
            groups.computeIfAbsent(key, unused -> new ArrayList<>()).add(sample);
            last = key;
        }
        return groups;
    }

    private String suffix(Sample sample) {
        return sample.name().startsWith(family.name())
                ? sample.name().substring(family.name().length())
                : "?";
    }

    private void counter(List<Sample> group) {
        for (Sample sample : group) {
            require(sample.value() >= 0, "counter below zero or NaN: " + sample);
            require(sample.exemplar() == null || suffix(sample).equals("_total"), "exemplar on " + sample);
        }
        require(!openMetrics || group.get(0).name().endsWith("_total"), "no _total first: " + group);
    }

    private void histogram(List<Sample> group) {
        int buckets = (int) group.stream()
                .filter(sample -> suffix(sample).equals("_bucket"))
                .count();
        List<String> order = group.stream()
                .map(this::suffix)
                .filter(suffix -> !suffix.equals("_bucket"))
                .toList();
        require(
                order.equals(List.of("_sum", "_count")) || order.equals(List.of("_sum", "_count", "_created")),
                "sum and count are not last: " + group);
        double lower = Double.NEGATIVE_INFINITY;
        double below = 0;
        for (Sample bucket : group.subList(0, buckets)) {
            require(suffix(bucket).equals("_bucket"), "buckets are not first: " + group);
            double bound = bound(bucket.labels().get("le"));
            require(bound > lower, "le does not ascend: " + bucket);
            require(bucket.text().matches("[0-9]+(\\.0)?"), "bucket is not whole: " + bucket);
            require(bucket.value() >= below, "buckets are not cumulative: " + bucket);
            if (bucket.exemplar() != null) {
                double value = bucket.exemplar().value();
                require(value > lower && value <= bound, "exemplar outside its bucket: " + bucket);
            }
            lower = bound;
            below = bucket.value();
        }
        require(lower == Double.POSITIVE_INFINITY, "no bucket up to +Inf: " + group);
        for (Sample sample : group.subList(buckets, group.size())) {
            require(sample.exemplar() == null, "exemplar on " + sample);
            require(!suffix(sample).equals("_count") || sample.value() == below, "+Inf differs from count: " + group);
            require(!suffix(sample).equals("_sum") || sample.value() >= 0, "negative sum: " + sample);
        }
    }

    /**
     * Parses a canonical bound: fixed-point from 0.0001 to a million, otherwise with an exponent; never without a point
     * or an e.
     */
    private static double bound(String le) {
        double value = number(le);
        boolean fixed = value == 0 || value >= 1e-4 && value < 1e6;
        String shape = fixed ? "(0|[1-9][0-9]*)\\.(0|[0-9]*[1-9])" : "[1-9](\\.[0-9]*[1-9])?e[+-][0-9]{2,}|\\+Inf";
        require(le.matches(shape), "le is not canonical: " + le);
        return value;
    }
}
