// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/** One label set of a callback metric: what the last round gave it. Guarded by the metric's lock. */
final class CallbackSeries extends Series {
    private final byte[] prefix;
    private final byte[] openMetricsPrefix;
    private final byte[] countPrefix;
    private double value;
    private long count;
    int round;

    CallbackSeries(Family family, String[] values) {
        super(family, values);
        boolean summary = family.type == Type.SUMMARY;
        this.prefix = prefix(summary ? family.base + "_sum" : family.name());
        this.openMetricsPrefix = summary ? prefix : prefix(family.openMetricsName(), prefix);
        this.countPrefix = summary ? prefix(family.base + "_count") : prefix;
    }

    void set(double newValue, long newCount) {
        value = newValue;
        count = newCount;
    }

    void add(double moreValue, long moreCount) {
        value += moreValue;
        count += moreCount;
    }

    @Override
    void write(Scrape scrape) {
        if (family.type == Type.SUMMARY) {
            scrape.out.put(countPrefix).decimal(count);
            scrape.endLine();
        }
        scrape.out.put(scrape.openMetrics ? openMetricsPrefix : prefix);
        scrape.value(value);
        scrape.endLine();
    }
}
