// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.bench.passkey.Cores;
import dev.porchlight.bench.report.Benchmark;
import dev.porchlight.bench.report.Section;
import dev.porchlight.bench.report.Series;
import dev.porchlight.rig.database.Cluster;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.testkit.postgres.PostgresMissingException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/** Whole logins, options and finish, on either database. All applications run; one at a time is under load. */
public final class LoginBenchmark implements Benchmark {
    private static final Duration SLICE = Duration.ofSeconds(Integer.getInteger("porchlight.bench.seconds", 3));
    private static final Duration WARM_UP = SLICE.multipliedBy(12);
    private static final Duration PACED = Duration.ofSeconds(2);
    private static final double RATE = 100;

    private final Peers peers = new Peers(System.out);
    private final Series verifications = new Series();

    @Override
    public String name() {
        return "login";
    }

    @Override
    public Section run(int rounds) throws Exception {
        List<Application> applications = new ArrayList<>();
        peers.built("spring").forEach(home -> applications.add(new SpringPeer(home, Jdk.OURS)));
        peers.built("node").forEach(home -> applications.add(new NodePeer(home)));
        applications.add(new Porchlight("Porchlight, with a token besides", Jdk.OURS, Map.of()));
        applications.add(new Porchlight("Porchlight", Jdk.OURS, Porchlight.SESSION));

        Section section = new Section(
                        name(),
                        "Logins over HTTP, options and finish, real signatures, " + Load.CONNECTIONS + " connections")
                .columns(
                        2,
                        "database",
                        "contestant",
                        "a second",
                        "spread",
                        "p50",
                        "p99",
                        "CPU each",
                        "failed",
                        "ours does");
        report(
                section,
                measure(Storage.sqlite(), applications, rounds),
                Storage.sqlite().label());
        try (Cluster server = Cluster.create()) {
            Storage postgres = Storage.postgres(server);
            report(section, measure(postgres, applications, rounds), postgres.label());
        } catch (PostgresMissingException e) {
            peers.leaveOut("PostgreSQL", e);
        }
        if (!peers.remark().isEmpty()) {
            section.remark(peers.remark());
        }
        section.remark(
                "p50 and p99 are those of %.0f logins a second. CPU is that of the application's processes, without PostgreSQL's. "
                        + "The %d cores verified %,.0f signatures a second when they did nothing else.",
                RATE, Cores.COUNT, verifications.median());
        return section.goal(
                "5 times Spring's, 1.5 times Node's, and a share of at least 60 % of what the cores could verify",
                rounds);
    }

    /** What was seen of one application. */
    private record Figures(
            String label, Series perSecond, Series p50, Series p99, Series cpu, Series load, Series failed) {
        Figures(String label) {
            this(label, new Series(), new Series(), new Series(), new Series(), new Series(), new Series());
        }
    }

    private List<Figures> measure(Storage storage, List<Application> applications, int rounds)
            throws IOException, InterruptedException, ExecutionException {
        List<Figures> figures = new ArrayList<>();
        try (Ground ground = new Ground()) {
            List<Load> loads = new ArrayList<>();
            for (Application application : applications) {
                try {
                    loads.add(new Load(ground.start(application, storage)));
                } catch (IOException e) {
                    if (application instanceof Porchlight) {
                        throw e;
                    }
                    peers.leaveOut(application.label() + " on " + storage.label(), e);
                }
            }
            for (Load load : loads) {
                load.closed(WARM_UP);
                figures.add(new Figures(load.application().label()));
            }
            for (int round = 0; round < rounds; round++) {
                verifications.add(Cores.verificationsPerSecond(Duration.ofSeconds(1)));
                for (int i = 0; i < loads.size(); i++) {
                    add(figures.get(i), loads.get(i));
                }
            }
        }
        return figures;
    }

    private static void add(Figures figures, Load load) throws InterruptedException {
        Load.Throughput throughput = load.closed(SLICE);
        Outcome paced = load.open(RATE, PACED);
        figures.perSecond().add(throughput.perSecond());
        figures.cpu().add(throughput.cpuMicros());
        figures.load().add(throughput.ownMicros());
        figures.p50().add(paced.millis(0.50));
        figures.p99().add(paced.millis(0.99));
        figures.failed().add(throughput.errors() + Load.errors(paced));
    }

    private void report(Section section, List<Figures> figures, String database) {
        Figures ours = figures.get(figures.size() - 1);
        for (Figures one : figures) {
            section.row(
                    database,
                    one.label(),
                    one.perSecond().shown("%,.0f"),
                    one.perSecond().spread("%,.0f"),
                    one.p50().shown("%.1f ms"),
                    one.p99().shown("%.1f ms"),
                    one.cpu().shown("%,.0f µs"),
                    String.format(Locale.ROOT, "%.0f", one.failed().sum()),
                    one.perSecond() == ours.perSecond()
                            ? share(one)
                            : String.format(
                                    Locale.ROOT,
                                    "%.1f times as many",
                                    ours.perSecond().median() / one.perSecond().median()));
        }
    }

    private String share(Figures ours) {
        double perSecond = ours.perSecond().median();
        double left = Cores.COUNT - perSecond * ours.load().median() / 1e6;
        return String.format(
                Locale.ROOT, "%.0f %% of the cores", 100 * perSecond / (verifications.median() / Cores.COUNT * left));
    }
}
