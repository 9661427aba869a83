// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench;

import dev.porchlight.bench.Comparisons.Comparison;
import dev.porchlight.bench.report.Benchmark;
import dev.porchlight.bench.report.Measurements;
import dev.porchlight.bench.report.Section;
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
 * Runs a comparison in rounds: every contestant once per round, each in a fresh JVM, so that a slow minute of the machine
 * affects all of them equally.
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
                .map(contestant ->
                        new Figures(contestant.label(), new Measurements(), new Measurements(), new Measurements()))
                .toList();
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < figures.size(); i++) {
                var result = run(comparison.contestants().get(i).method());
                figures.get(i).nanos().add(result.getPrimaryResult().getScore());
                figures.get(i).cpu().add(secondary(result, CpuProfiler.RESULT));
                figures.get(i).bytes().add(secondary(result, "gc.alloc.rate.norm"));
            }
        }
        return section(figures, rounds);
    }

    /** The measurements of one contestant. */
    private record Figures(String label, Measurements nanos, Measurements cpu, Measurements bytes) {}

    private Section section(List<Figures> figures, int rounds) {
        Section section = new Section(name(), comparison.operation())
                .columns(1, "contestant | time | spread | CPU | allocated | ours takes");
        Measurements ours = figures.get(figures.size() - 1).nanos();
        for (Figures one : figures) {
            Measurements nanos = one.nanos();
            section.row(
                    one.label(),
                    time(nanos.median()),
                    time(nanos.lowest()) + " to " + time(nanos.highest()),
                    time(one.cpu().median()),
                    size(one.bytes().median()),
                    nanos.share(ours));
        }
        return section.goal(comparison.goal(), rounds);
    }

    private static double secondary(RunResult result, String name) {
        var measured = result.getSecondaryResults().get(name);
        return Objects.requireNonNull(measured, "a profiler reported nothing").getScore();
    }

    private RunResult run(String method) throws RunnerException {
        var options = new OptionsBuilder()
                .include(comparison.benchmark().getName().replace(".", "\\.") + "\\." + method + "$")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(1)
                .threads(1)
                .warmupIterations(10)
                .warmupTime(SLICE)
                .measurementIterations(5)
                .measurementTime(SLICE)
                .addProfiler(GCProfiler.class)
                .addProfiler(CpuProfiler.class)
                // peers log through logback; the service, which is also on the class path, must not replace it
                .jvmArgs(
                        "-Xms512m",
                        "-Xmx512m",
                        "-Dslf4j.provider=ch.qos.logback.classic.spi.LogbackServiceProvider",
                        "-Dslf4j.internal.verbosity=WARN")
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        if (!comparison.algorithm().isEmpty()) {
            options.param("algorithm", comparison.algorithm());
        }
        return new Runner(options.build()).runSingle();
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
