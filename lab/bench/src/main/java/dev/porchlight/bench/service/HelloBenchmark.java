// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.bench.report.Benchmark;
import dev.porchlight.bench.report.Measurements;
import dev.porchlight.bench.report.Section;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Task;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** The CPU time that telemetry adds to a request of a Spring MVC application, at a fixed rate that no queue drops spans at. */
public final class HelloBenchmark implements Benchmark {
    private static final int CONNECTIONS = 8;
    private static final int PER_SECOND = Integer.getInteger("porchlight.bench.requests", 1_000);
    private static final int WARM_REQUESTS = 60_000;

    /** Long, because the kernel counts CPU time in steps of 10 ms. */
    private static final Duration SLICE = Load.SLICE.multipliedBy(5);

    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final Peers peers = new Peers(System.out);

    @Override
    public String name() {
        return "hello";
    }

    @Override
    public Section run(int rounds) throws Exception {
        var home = peers.built("hello").stream()
                .findFirst()
                .orElseThrow(() -> new IOException("the application is not available"));
        try (Launcher launcher = new Launcher();
                Collector collector = new Collector()) {
            List<Running> applications = new ArrayList<>();
            List<Figures> figures = new ArrayList<>();
            for (HelloPeer peer : HelloPeer.all(home, collector.url())) {
                applications.add(launcher.start(peer, Storage.sqlite()));
                figures.add(new Figures(
                        peer.label(), new Measurements(), new Measurements(), new Measurements(), new Measurements()));
            }
            for (Running application : applications) {
                warmUp(application);
            }
            for (int round = 0; round < rounds; round++) {
                double least = 0;
                for (int i = 0; i < applications.size(); i++) {
                    double cpu = measure(figures.get(i), applications.get(i), collector);
                    least = i == 0 ? cpu : least;
                    figures.get(i).added().add(cpu - least);
                }
            }
            return section(figures, rounds);
        }
    }

    private static void warmUp(Running application) throws InterruptedException {
        double requests = 0;
        while (requests < WARM_REQUESTS && application.instance().process().isAlive()) {
            requests += Load.Throughput.of(application, () -> Loop.closed(CONNECTIONS, hello(application)), SLICE)
                    .logins();
        }
    }

    private static double measure(Figures figures, Running application, Collector collector)
            throws InterruptedException {
        long before = collector.received();
        Load.Throughput throughput =
                Load.Throughput.of(application, () -> Loop.open(PER_SECOND, CONNECTIONS, hello(application)), SLICE);
        figures.cpu().add(throughput.cpuMicros());
        figures.sent().add((collector.received() - before) / throughput.logins());
        figures.failed().add(throughput.errors());
        return throughput.cpuMicros();
    }

    private static IntFunction<Task> hello(Running application) {
        return worker -> {
            Connection connection = application.instance().connect();
            return Task.over(
                    connection,
                    it -> it.get("/hello/world", "traceparent", PARENT).status());
        };
    }

    private record Figures(
            String label, Measurements cpu, Measurements added, Measurements sent, Measurements failed) {}

    private Section section(List<Figures> figures, int rounds) {
        Section section = new Section(
                        name(),
                        "One request of a Spring MVC application with correlation id, span, metrics and access line")
                .columns(1, "contestant | CPU each | spread | added | spread | sent each | failed | ours adds");
        Measurements ours = figures.get(figures.size() - 1).added();
        for (Figures one : figures) {
            boolean with = one != figures.get(0);
            section.row(
                    one.label(),
                    one.cpu().shown("%,.1f µs"),
                    one.cpu().spread("%,.1f µs"),
                    with ? one.added().shown("%,.1f µs") : "",
                    with ? one.added().spread("%,.1f µs") : "",
                    with ? one.sent().shown("%,.0f B") : "",
                    one.failed().total(),
                    with ? one.added().share(ours) : "");
        }
        return section.goal("at most half of what the best peer adds, and at most 12 µs", rounds);
    }
}
