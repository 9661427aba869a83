// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The result of a loop, with every sample. Times are nanoseconds since the loop started. Immutable.
 *
 * @param samples in order of completion
 * @param failures the reasons for missing responses, with their counts
 */
public record Outcome(List<Sample> samples, Duration length, Map<String, Integer> failures) {
    private static final int NO_RESPONSE = 0;

    /**
     * One execution of the task.
     *
     * @param started the scheduled start
     * @param waited the delay until a worker was free
     * @param latency from the scheduled start to the end
     * @param status of the response, or 0 if there was no response
     */
    public record Sample(long started, long waited, long latency, int status) {
        public long ended() {
            return started + latency;
        }

        public boolean ok() {
            return status / 100 == 2;
        }
    }

    /** The samples of one worker. Not thread-safe. */
    static final class Samples {
        private final List<Sample> all = new ArrayList<>(256);
        private final Map<String, Integer> failures = new HashMap<>();

        void add(long begin, long wait, long latency, int status) {
            all.add(new Sample(begin, wait, latency, status));
        }

        void fail(long begin, long wait, long latency, Throwable failure) {
            add(begin, wait, latency, NO_RESPONSE);
            Throwable cause = failure instanceof UncheckedIOException ? failure.getCause() : failure;
            failures.merge(cause.getClass().getSimpleName() + ": " + cause.getMessage(), 1, Integer::sum);
        }
    }

    static Outcome of(List<Samples> workers, Duration length) {
        Map<String, Integer> failures = new TreeMap<>();
        List<Sample> all = new ArrayList<>();
        for (Samples worker : workers) {
            all.addAll(worker.all);
            worker.failures.forEach((text, count) -> failures.merge(text, count, Integer::sum));
        }
        all.sort(Comparator.comparingLong(Sample::ended));
        return new Outcome(all, length, failures);
    }

    /** Whether every task succeeded. */
    public boolean allOk() {
        return ok() == count();
    }

    /** The samples that match. */
    public Outcome only(Predicate<Sample> wanted) {
        return new Outcome(samples.stream().filter(wanted).toList(), length, failures);
    }

    /** The same samples without the wait for a free worker. */
    public Outcome served() {
        List<Sample> sent = samples.stream()
                .map(it -> new Sample(it.started + it.waited, 0, it.latency - it.waited, it.status))
                .toList();
        return new Outcome(sent, length, failures);
    }

    /** The samples that started in this interval. */
    public Outcome between(long from, long to) {
        Outcome part = only(it -> it.started >= from && it.started < to);
        return new Outcome(part.samples, Duration.ofNanos(to - from), failures);
    }

    public int count() {
        return samples.size();
    }

    public long count(int status) {
        return samples.stream().filter(it -> it.status == status).count();
    }

    /** The number of successful responses. */
    public long ok() {
        return samples.stream().filter(Sample::ok).count();
    }

    public double okPerSecond() {
        return ok() * 1e9 / length.toNanos();
    }

    /** A latency percentile in milliseconds; 0 without samples. */
    public double millis(double share) {
        long[] sorted = samples.stream().mapToLong(Sample::latency).sorted().toArray();
        return sorted.length == 0
                ? 0
                : sorted[(int) Math.min(sorted.length - 1L, (long) (share * sorted.length))] / 1e6;
    }

    public double slowestMillis() {
        return samples.stream().mapToLong(Sample::latency).max().orElse(0) / 1e6;
    }

    /** The longest interval without a success, in milliseconds. */
    public double longestGapMillis() {
        long last = 0;
        long longest = 0;
        for (Sample sample : samples) {
            if (sample.ok()) {
                longest = Math.max(longest, sample.ended() - last);
                last = sample.ended();
            }
        }
        return Math.max(longest, length.toNanos() - last) / 1e6;
    }

    /** The time from this moment to the first success that started after it, in milliseconds; infinite without a success. */
    public double millisToSuccessAfter(long time) {
        return samples.stream()
                .filter(it -> it.ok() && it.started >= time)
                .mapToDouble(it -> (it.ended() - time) / 1e6)
                .findFirst()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /** The count of each status, such as {@code 200 × 512, 503 × 3, no response × 1}. */
    public String statuses() {
        Map<Integer, Long> counts =
                samples.stream().collect(Collectors.groupingBy(Sample::status, TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(it -> (it.getKey() == NO_RESPONSE
                                ? "no response"
                                : it.getKey().toString())
                        + String.format(Locale.ROOT, " × %,d", it.getValue()))
                .collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s; p50 %.1f ms, p99 %.1f ms, slowest %.0f ms",
                statuses(),
                millis(0.50),
                millis(0.99),
                slowestMillis());
    }
}
