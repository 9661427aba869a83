// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.bench.report.Benchmark;
import dev.porchlight.bench.report.Measurements;
import dev.porchlight.bench.report.Section;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Logins to the same service with less and more telemetry, by its settings. Metrics are always on: {@code counter} and
 * {@code histogram} measure their cost. Differences are small, so there are twice as many rounds as elsewhere.
 */
public final class TelemetryBenchmark implements Benchmark {

    @Override
    public String name() {
        return "telemetry";
    }

    @Override
    public Section run(int rounds) throws Exception {
        try (Launcher launcher = new Launcher();
                Collector collector = new Collector()) {
            List<Load> loads = new ArrayList<>();
            List<Figures> figures = new ArrayList<>();
            for (Application application : applications(collector.url())) {
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
                    add(figures.get(i), loads.get(i), collector);
                }
            }
            return section(figures, 2 * rounds);
        }
    }

    private static List<Application> applications(String collector) {
        return List.of(
                with("metrics", Map.of("LOG_LEVEL", "warn", "OTEL_SDK_DISABLED", "true")),
                with("metrics, log lines", Map.of("OTEL_SDK_DISABLED", "true")),
                with("metrics, log lines, traces", Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector)));
    }

    private static Application with(String label, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(Porchlight.SESSION);
        all.putAll(settings);
        return new Porchlight(label, Jdk.OURS, all);
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
                        "The cost of telemetry per login: one log line per request and every trace sent, on SQLite")
                .columns(
                        1,
                        "telemetry | logins per second | spread | lost | CPU each | spread | added | sent each"
                                + " | failed");
        Figures least = figures.get(0);
        for (Figures one : figures) {
            boolean with = one.cpu() != least.cpu();
            section.row(
                    one.label(),
                    one.perSecond().shown("%,.0f"),
                    one.perSecond().spread("%,.0f"),
                    with
                            ? percent(1
                                    - one.perSecond().median()
                                            / least.perSecond().median())
                            : "",
                    one.cpu().shown("%,.0f µs"),
                    one.cpu().spread("%,.0f µs"),
                    with ? percent(one.cpu().median() / least.cpu().median() - 1) : "",
                    one.sent().shown("%,.0f B"),
                    one.failed().total());
        }
        return section.goal("at most 5 % overhead", rounds);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }
}
