// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench;

import java.util.ArrayList;
import java.util.List;
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
 * Runs a comparison in rounds: every contestant once a round, each time in a fresh JVM, so that a slow minute of the machine
 * falls on all of them alike.
 */
final class Rounds {
    private static final TimeValue SLICE = TimeValue.milliseconds(500);

    private final int rounds;

    Rounds(int rounds) {
        this.rounds = rounds;
    }

    List<Measurement> measure(Comparison comparison) throws RunnerException {
        var measurements = new ArrayList<Measurement>();
        comparison.contestants().forEach(contestant -> measurements.add(new Measurement(contestant.label())));
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < measurements.size(); i++) {
                var result = run(
                        comparison.benchmark(), comparison.contestants().get(i).method());
                measurements.get(i).add(result.getPrimaryResult().getScore(), bytesPerOperation(result));
            }
        }
        return measurements;
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
                .warmupIterations(6)
                .warmupTime(SLICE)
                .measurementIterations(5)
                .measurementTime(SLICE)
                .addProfiler(GCProfiler.class)
                .jvmArgs("-Xms512m", "-Xmx512m")
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        return new Runner(options).runSingle();
    }
}
