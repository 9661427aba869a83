// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import dev.porchlight.e2e.ops.PromQl.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** A scrape: the names of its series, their labels and label values. */
final class Exposition {
    private static final Pattern TYPE = Pattern.compile("^# TYPE (\\S+) \\S+$", Pattern.MULTILINE);
    private static final Pattern SAMPLE = Pattern.compile("^([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? \\S+$", Pattern.MULTILINE);
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** The labels that Prometheus adds to each series. */
    private static final Set<String> ADDED_LABELS = Set.of("job", "instance");

    private final Map<String, Map<String, Set<String>>> series = new HashMap<>();

    Exposition(String scrape) {
        TYPE.matcher(scrape).results().forEach(type -> series.put(type.group(1), new HashMap<>()));
        SAMPLE.matcher(scrape).results().forEach(sample -> {
            var labels = series.computeIfAbsent(sample.group(1), name -> new HashMap<>());
            if (sample.group(2) != null) {
                LABEL.matcher(sample.group(2))
                        .results()
                        .forEach(label -> labels.computeIfAbsent(label.group(1), name -> new TreeSet<>())
                                .add(label.group(2)));
            }
        });
        series.put("up", new HashMap<>());
    }

    /** Adds a series of a recording rule with its labels. */
    void add(String name, Set<String> labels) {
        Map<String, Set<String>> known = new HashMap<>();
        labels.forEach(label -> known.put(label, Set.of()));
        series.put(name, known);
    }

    /** Returns the metrics, labels and label values of a query that do not exist. */
    List<String> missing(PromQl query) {
        List<String> missing = new ArrayList<>();
        Set<String> labels = new TreeSet<>(ADDED_LABELS);
        for (Selector selector : query.selectors()) {
            var known = series.get(selector.metric());
            if (known == null) {
                missing.add("metric " + selector.metric());
                continue;
            }
            labels.addAll(known.keySet());
            selector.labels().stream()
                    .filter(label -> !known.containsKey(label) && !ADDED_LABELS.contains(label))
                    .forEach(label -> missing.add("label " + label + " of " + selector.metric()));
            selector.equal().forEach((label, value) -> {
                Set<String> values = known.getOrDefault(label, Set.of());
                if (!values.isEmpty() && !values.contains(value)) {
                    missing.add("value " + label + "=" + value + " of " + selector.metric() + ", which has " + values);
                }
            });
        }
        query.groupings().stream()
                .filter(label -> !labels.contains(label))
                .forEach(label -> missing.add("label " + label + " of a group"));
        return missing;
    }
}
