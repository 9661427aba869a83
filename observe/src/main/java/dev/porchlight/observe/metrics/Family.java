// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.wire.WireBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** What all series of a metric share: name, help, label names, the header lines as bytes, and what went wrong. */
final class Family {
    private static final String TOTAL = "_total";
    /** The base units whose names OpenMetrics wants repeated when a family's name ends in one. */
    private static final List<String> UNITS = List.of("seconds", "bytes", "ratio");

    final Type type;
    /** The name as registered, which the text format shows. */
    private final String name;
    /** The name OpenMetrics gives the family: a counter's without {@code _total}. */
    final String base;

    final String help;
    final List<String> labelNames;
    final Settings settings;
    final LongAdder misused = new LongAdder();
    private final AtomicBoolean reported = new AtomicBoolean();
    final LongAdder overflowed = new LongAdder();
    private final byte[] textHeader;
    private final byte[] openMetricsHeader;

    Family(Type type, String given, String help, List<String> labelNames, Settings settings) {
        this.type = type;
        this.name = Names.metric(given);
        this.base = type == Type.COUNTER && name.endsWith(TOTAL) ? Names.metric(withoutTotal(name)) : name;
        this.help = Names.help(name, help);
        this.labelNames = Names.labels(name, type, labelNames);
        this.settings = settings;
        this.textHeader = textHeader();
        this.openMetricsHeader = openMetricsHeader();
    }

    String name() {
        return name;
    }

    /** The name of the samples in OpenMetrics: a counter's with {@code _total}. */
    String openMetricsName() {
        return type == Type.COUNTER ? base + TOTAL : base;
    }

    /** Counts a recording that was refused, and reports the metric's first one. */
    void misused(String reason) {
        misused.increment();
        if (reported.compareAndSet(false, true)) {
            try {
                settings.onMisuse().accept(new MetricMisuse(name, reason));
            } catch (RuntimeException listenersOwn) {
                misused.increment(); // a listener's fault must not reach the recording thread
            }
        }
    }

    /** Every name that appears, or may appear, in an exposition because of this family. */
    List<String> reservedNames() {
        List<String> names = new ArrayList<>();
        names.add(base);
        type.suffixes().forEach(suffix -> names.add(base + suffix));
        return names;
    }

    void writeHeader(Scrape scrape) {
        scrape.out.put(scrape.openMetrics ? openMetricsHeader : textHeader);
    }

    private static String withoutTotal(String name) {
        return name.substring(0, name.length() - TOTAL.length());
    }

    private byte[] textHeader() {
        String escaped = help.replace("\\", "\\\\").replace("\n", "\\n");
        WireBuffer out = new WireBuffer(128);
        out.ascii("# HELP ").ascii(name()).put(' ').utf8(escaped).put('\n');
        out.ascii("# TYPE ").ascii(name()).put(' ').ascii(type.word).put('\n');
        return out.toByteArray();
    }

    private byte[] openMetricsHeader() {
        WireBuffer out = new WireBuffer(128);
        out.ascii("# TYPE ").ascii(base).put(' ').ascii(type.word).put('\n');
        for (String unit : UNITS) {
            if (base.endsWith("_" + unit)) {
                out.ascii("# UNIT ").ascii(base).put(' ').ascii(unit).put('\n');
            }
        }
        out.ascii("# HELP ").ascii(base).put(' ').utf8(Labels.escape(help)).put('\n');
        return out.toByteArray();
    }
}
