// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench;

import dev.porchlight.bench.report.Benchmark;
import dev.porchlight.bench.report.Section;
import dev.porchlight.bench.service.CapacityBenchmark;
import dev.porchlight.bench.service.HelloBenchmark;
import dev.porchlight.bench.service.LoginBenchmark;
import dev.porchlight.bench.service.MemoryBenchmark;
import dev.porchlight.bench.service.OpenIdBenchmark;
import dev.porchlight.bench.service.StartBenchmark;
import dev.porchlight.bench.service.TelemetryBenchmark;
import dev.porchlight.bench.service.WarmupBenchmark;
import dev.porchlight.bench.storage.PeopleBenchmark;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Runs the benchmarks named on the command line, or all, and writes the report. */
public final class Main {
    private static final int ROUNDS = Integer.getInteger("porchlight.bench.rounds", 5);

    private Main() {}

    /** Exits with 1 if a benchmark failed; the others still run and are reported. */
    public static void main(String[] args) {
        PrintStream out = System.out;
        if (args.length == 0) {
            out.println("usage: bench REPORT [NAME...]");
            System.exit(2);
        }
        var names = List.of(args).subList(1, args.length);
        var known = benchmarks().stream().map(Benchmark::name).collect(Collectors.toList());
        if (!known.containsAll(names)) {
            out.println("Unknown benchmark. Known benchmarks: " + String.join(", ", known));
            System.exit(2);
        }
        var report = new Report(Path.of(args[0]));
        var failed = new ArrayList<String>();
        for (Benchmark benchmark : benchmarks()) {
            if (names.isEmpty() || names.contains(benchmark.name())) {
                try {
                    Section section = benchmark.run(ROUNDS);
                    out.println(section);
                    report.write(section);
                } catch (Exception e) {
                    e.printStackTrace(out);
                    failed.add(benchmark.name());
                }
            }
        }
        if (!failed.isEmpty()) {
            out.println("failed: " + String.join(", ", failed));
        }
        System.exit(failed.isEmpty() ? 0 : 1);
    }

    private static List<Benchmark> benchmarks() {
        List<Benchmark> all = new ArrayList<>();
        Comparisons.ALL.forEach(comparison -> all.add(new MicroBenchmark(comparison)));
        all.add(new LoginBenchmark());
        all.add(new OpenIdBenchmark());
        all.add(new StartBenchmark());
        all.add(new WarmupBenchmark());
        all.add(new MemoryBenchmark());
        all.add(new TelemetryBenchmark());
        all.add(new HelloBenchmark());
        all.add(new CapacityBenchmark());
        all.add(new PeopleBenchmark());
        return all;
    }
}
