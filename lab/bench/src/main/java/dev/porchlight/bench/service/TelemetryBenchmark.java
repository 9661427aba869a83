// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.bench.report.Benchmark;
import dev.porchlight.bench.report.Measurements;
import dev.porchlight.bench.report.Section;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Logins to the service without telemetry, with its own, and with Micrometer, the OpenTelemetry SDK and logback doing the
 * same work at the same places. Differences are small, so there are twice as many rounds as elsewhere.
 */
public final class TelemetryBenchmark implements Benchmark {

    @Override
    public String name() {
        return "telemetry";
    }

    @Override
    public Section run(int rounds) throws Exception {
        try (Launcher launcher = new Launcher();
                Collector unused = new Collector();
                Collector peers = new Collector();
                Collector ours = new Collector()) {
            List<Load> loads = new ArrayList<>();
            List<Figures> figures = new ArrayList<>();
            List<Collector> collectors = List.of(unused, peers, ours);
            for (Application application : applications(launcher, peers.url(), ours.url())) {
                loads.add(new Load(launcher.start(application, Storage.sqlite())));
                figures.add(new Figures(
                        application.label(),
                        new Measurements(),
                        new Measurements(),
                        new Measurements(),
                        new Measurements()));
            }
            for (Load load : loads) {
                load.warmUp();
            }
            for (int round = 0; round < 2 * rounds; round++) {
                for (int i = 0; i < loads.size(); i++) {
                    add(figures.get(i), loads.get(i), collectors.get(i));
                }
            }
            return section(figures, 2 * rounds);
        }
    }

    private static List<Application> applications(Launcher launcher, String peers, String ours) throws IOException {
        String server = Replacement.jars(Peers.ROOT.resolve("server/target/app/lib"));
        String all = server + ":" + Replacement.jars(Peers.ROOT.resolve("lab/bench/target/app/lib"));
        Path silent = launcher.directory();
        Replacement.compile(Peers.ROOT, List.of("silent"), all, silent);
        Path assembled = launcher.directory();
        Replacement.compile(Peers.ROOT, List.of("assembled"), all, assembled);
        return List.of(
                new Classes("none", silent + ":" + all, Map.of()),
                new Classes(
                        "Micrometer, OpenTelemetry SDK, logback",
                        assembled + ":" + all,
                        Map.of("PEER_OTLP_ENDPOINT", peers)),
                new Classes("Porchlight's own", all, Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", ours)));
    }

    /** The measurements with one kind of telemetry. */
    private record Figures(
            String label, Measurements perSecond, Measurements cpu, Measurements sent, Measurements failed) {}

    private static void add(Figures figures, Load load, Collector collector) throws InterruptedException {
        long before = collector.received();
        Load.Throughput throughput = load.closed(Load.SLICE);
        figures.perSecond().add(throughput.perSecond());
        figures.cpu().add(throughput.cpuMicros());
        figures.sent().add((collector.received() - before) / (throughput.perSecond() * Load.SLICE.toSeconds()));
        figures.failed().add(throughput.errors());
    }

    private Section section(List<Figures> figures, int rounds) {
        Section section = new Section(
                        name(),
                        "The cost of telemetry per login: one line per request, metrics, every trace sent, on SQLite")
                .columns(
                        1,
                        "telemetry",
                        "logins per second",
                        "spread",
                        "lost",
                        "CPU each",
                        "spread",
                        "added",
                        "sent each",
                        "failed");
        Figures none = figures.get(0);
        for (Figures one : figures) {
            boolean with = one.cpu() != none.cpu();
            section.row(
                    one.label(),
                    one.perSecond().shown("%,.0f"),
                    one.perSecond().spread("%,.0f"),
                    with
                            ? percent(1
                                    - one.perSecond().median()
                                            / none.perSecond().median())
                            : "",
                    one.cpu().shown("%,.0f µs"),
                    one.cpu().spread("%,.0f µs"),
                    with ? percent(one.cpu().median() / none.cpu().median() - 1) : "",
                    one.sent().shown("%,.0f B"),
                    one.failed().total());
        }
        return section.goal("at most 5 % overhead, and at most half of the peers'", rounds);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }
}
