// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.bench.report.Benchmark;
import dev.porchlight.bench.report.Section;
import dev.porchlight.bench.report.Series;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Logins to the service without any telemetry, with its own, and with Micrometer, OpenTelemetry's SDK and logback in its
 * place, which do the same at the same places. Differences are small: there are twice as many rounds as elsewhere.
 */
public final class TelemetryBenchmark implements Benchmark {

    @Override
    public String name() {
        return "telemetry";
    }

    @Override
    public Section run(int rounds) throws Exception {
        try (Launcher launcher = new Launcher();
                Collector nobodys = new Collector();
                Collector peers = new Collector();
                Collector ours = new Collector()) {
            List<Load> loads = new ArrayList<>();
            List<Figures> figures = new ArrayList<>();
            List<Collector> collectors = List.of(nobodys, peers, ours);
            for (Application application : applications(launcher, peers.url(), ours.url())) {
                loads.add(new Load(launcher.start(application, Storage.sqlite())));
                figures.add(new Figures(application.label(), new Series(), new Series(), new Series(), new Series()));
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

    /** What was seen of one telemetry. */
    private record Figures(String label, Series perSecond, Series cpu, Series sent, Series failed) {}

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
                        name(), "What telemetry costs a login: a line a request, metrics, every trace sent, on SQLite")
                .columns(
                        1,
                        "telemetry",
                        "logins a second",
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
        return section.goal("at most 5 % lost, and at most half of what the peers' cost", rounds);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }
}
