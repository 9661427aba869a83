// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Validates the names of metrics and labels at registration. */
final class Names {
    private static final Pattern METRIC = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");

    private Names() {}

    static String metric(String name) {
        if (!METRIC.matcher(Objects.requireNonNull(name, "a metric needs a name"))
                .matches()) {
            throw new IllegalArgumentException("metric name '" + name + "' does not match " + METRIC);
        }
        return name;
    }

    /** Returns the help text with every line break as a line feed, the only one that expositions can escape. */
    static String help(String metric, @Nullable String help) {
        if (help == null) {
            return "No help text.";
        }
        if (help.isBlank()) {
            throw new IllegalArgumentException("metric " + metric + " needs a help text");
        }
        return help.replace("\r\n", "\n").replace('\r', '\n');
    }

    static List<String> labels(String metric, MetricType type, List<String> given) {
        Set<String> seen = new HashSet<>();
        for (String label : given) {
            Objects.requireNonNull(label, () -> "a label name of metric " + metric + " is null");
            String fault = fault(type, label);
            if (fault != null || !seen.add(label)) {
                String why = fault == null ? "is given twice" : fault;
                throw new IllegalArgumentException("label '" + label + "' of metric " + metric + " " + why);
            }
        }
        return List.copyOf(given);
    }

    private static @Nullable String fault(MetricType type, String label) {
        if (!LABEL.matcher(label).matches()) {
            return "does not match " + LABEL;
        }
        if (label.startsWith("__")) {
            return "starts with '__', which is reserved for Prometheus";
        }
        if (type == MetricType.HISTOGRAM && label.equals("le")
                || type == MetricType.SUMMARY && label.equals("quantile")) {
            return "is reserved for a " + type.label();
        }
        return null;
    }
}
