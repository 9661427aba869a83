// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench;

import dev.porchlight.bench.report.Benchmark;
import dev.porchlight.bench.report.Section;
import dev.porchlight.bench.report.Series;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * A comparison, run in rounds: every contestant once a round, each time in a fresh JVM, so that a slow minute of the machine
 * falls on all of them alike.
 */
final class MicroBenchmark implements Benchmark {
    private static final TimeValue SLICE = TimeValue.milliseconds(500);

    private final Comparison comparison;

    MicroBenchmark(Comparison comparison) {
        this.comparison = comparison;
    }

    @Override
    public String name() {
        return comparison.name();
    }

    @Override
    public Section run(int rounds) throws RunnerException {
        List<Figures> figures = comparison.contestants().stream()
                .map(contestant -> new Figures(contestant.label(), new Series(), new Series()))
                .toList();
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < figures.size(); i++) {
                var result = run(
                        comparison.benchmark(), comparison.contestants().get(i).method());
                figures.get(i).nanos().add(result.getPrimaryResult().getScore());
                figures.get(i).bytes().add(bytesPerOperation(result));
            }
        }
        return section(figures, rounds);
    }

    /** What one contestant needed for an operation. */
    private record Figures(String label, Series nanos, Series bytes) {}

    private Section section(List<Figures> figures, int rounds) {
        Section section = new Section(name(), comparison.operation())
                .columns(1, "contestant", "time", "spread", "allocated", "ours takes");
        Series ours = figures.get(figures.size() - 1).nanos();
        for (Figures one : figures) {
            Series nanos = one.nanos();
            section.row(
                    one.label(),
                    time(nanos.median()),
                    time(nanos.lowest()) + " to " + time(nanos.highest()),
                    size(one.bytes().median()),
                    nanos.share(ours));
        }
        return section.goal(comparison.goal(), rounds);
    }

    private static double bytesPerOperation(RunResult result) {
        var allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
        return Objects.requireNonNull(allocated, "JMH's gc profiler reported nothing")
                .getScore();
    }

    private static RunResult run(Class<?> benchmark, String method) throws RunnerException {
        var options = new OptionsBuilder()
                .include(benchmark.getName().replace(".", "\\.") + "\\." + method + "$")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(1)
                .threads(1)
                .warmupIterations(10)
                .warmupTime(SLICE)
                .measurementIterations(5)
                .measurementTime(SLICE)
                .addProfiler(GCProfiler.class)
                // Peers log by logback; the service, which is on the class path too, does not take its place.
                .jvmArgs(
                        "-Xms512m",
                        "-Xmx512m",
                        "-Dslf4j.provider=ch.qos.logback.classic.spi.LogbackServiceProvider",
                        "-Dslf4j.internal.verbosity=WARN")
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        return new Runner(options).runSingle();
    }

    private static String time(double nanos) {
        if (nanos >= 1e5) {
            return String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
        }
        return String.format(Locale.ROOT, nanos >= 100 ? "%.0f ns" : "%.1f ns", nanos);
    }

    private static String size(double bytes) {
        return String.format(
                Locale.ROOT, bytes >= 10_240 ? "%.0f KiB" : "%.0f B", bytes >= 10_240 ? bytes / 1024 : bytes);
    }
}
