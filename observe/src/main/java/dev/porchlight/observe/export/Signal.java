// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.export;

/** A kind of telemetry that is sent to a collector. */
public enum Signal {
    TRACES("span", "spans"),
    METRICS("metric", "metric points"),
    LOGS("log", "log records");

    private final String word;
    private final String items;

    Signal(String word, String items) {
        this.word = word;
        this.items = items;
    }

    /** Returns one word for the names of threads. */
    public String word() {
        return word;
    }

    /** Returns the plural of its items, for messages. */
    public String items() {
        return items;
    }

    /** Returns the value of the metric label. */
    public String label() {
        return switch (this) {
            case TRACES -> "traces";
            case METRICS -> "metrics";
            case LOGS -> "logs";
        };
    }
}
