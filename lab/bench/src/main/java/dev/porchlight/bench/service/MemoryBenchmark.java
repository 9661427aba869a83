// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.bench.report.Benchmark;
import dev.porchlight.bench.report.Measurements;
import dev.porchlight.bench.report.Section;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Resident memory after many logins, each time in a fresh process. */
public final class MemoryBenchmark implements Benchmark {
    private static final int LOGINS = Integer.getInteger("porchlight.bench.logins", 2_000);
    private static final List<String> SMALL = List.of("-XX:+UseSerialGC", "-Xss512k", "-Xmx128m");
    private static final String MEGABYTES = "%,.0f MB";

    private final Peers peers = new Peers(System.out);

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Section run(int rounds) throws Exception {
        List<Application> applications = new ArrayList<>();
        for (var home : peers.built("spring")) {
            applications.add(new SpringPeer(home, Jdk.OURS));
            applications.add(
                    new SpringPeer(SpringPeer.NAME + ", " + String.join(" ", SMALL), home, Jdk.OURS, SMALL, false));
        }
        peers.built("node").forEach(home -> applications.add(CommandPeer.node(home)));
        applications.add(new Porchlight("Porchlight", Jdk.OURS, Porchlight.SESSION));

        List<Figures> figures = measure(applications, rounds);
        Section section = new Section(
                        name(), String.format(Locale.ROOT, "Resident memory after %,d logins, on SQLite", LOGINS))
                .columns(1, "contestant | memory | spread | failed | ours takes");
        Measurements ours = figures.get(figures.size() - 1).megabytes();
        for (Figures one : figures) {
            Measurements megabytes = one.megabytes();
            section.row(
                    one.label(),
                    megabytes.shown(MEGABYTES),
                    megabytes.spread(MEGABYTES),
                    one.failed().total(),
                    megabytes.share(ours));
        }
        return peers.remark(section).goal("a third of Spring's", rounds);
    }

    private record Figures(String label, Measurements megabytes, Measurements failed) {}

    private List<Figures> measure(List<Application> applications, int rounds) throws IOException, InterruptedException {
        List<Figures> figures = new ArrayList<>();
        for (Application application : applications) {
            figures.add(new Figures(application.label(), new Measurements(), new Measurements()));
        }
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < applications.size(); i++) {
                try (Launcher launcher = new Launcher()) {
                    Running running = launcher.start(applications.get(i), Storage.sqlite());
                    figures.get(i).failed().add(new Load(running).closed(LOGINS));
                    figures.get(i).megabytes().add(running.residentMegabytes());
                }
            }
        }
        return figures;
    }
}
