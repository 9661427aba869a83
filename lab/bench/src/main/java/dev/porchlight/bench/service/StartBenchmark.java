// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.bench.report.Benchmark;
import dev.porchlight.bench.report.Section;
import dev.porchlight.bench.report.Series;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** From the start of the process to the first answer with 200, where the tables are there already. */
public final class StartBenchmark implements Benchmark {
    private static final String SECONDS = "%.2f s";

    private final Peers peers = new Peers(System.out);

    @Override
    public String name() {
        return "start";
    }

    @Override
    public Section run(int rounds) throws Exception {
        Section section = new Section(name(), "Start to the first 200, on SQLite")
                .columns(2, "JDK", "contestant", "time", "spread", "ours takes");
        List<Path> springs = peers.built("spring");
        for (Path javaHome : Jdk.all()) {
            List<Application> applications = new ArrayList<>();
            for (Path spring : springs) {
                applications.add(new SpringPeer(spring, javaHome));
                applications.add(new SpringPeer(
                        SpringPeer.NAME + ", unpacked, archived classes", spring, javaHome, List.of(), true));
            }
            applications.add(new Porchlight("Porchlight", javaHome, Porchlight.SESSION));
            report(section, Integer.toString(Jdk.feature(javaHome)), measure(applications, rounds));
        }
        if (!peers.remark().isEmpty()) {
            section.remark(peers.remark());
        }
        return section.goal("a quarter of Spring's time", rounds);
    }

    private record Figures(String label, Series seconds) {}

    private static List<Figures> measure(List<Application> applications, int rounds)
            throws IOException, InterruptedException {
        List<Figures> figures = new ArrayList<>();
        try (Launcher launcher = new Launcher()) {
            List<Path> directories = new ArrayList<>();
            List<Storage.Address> databases = new ArrayList<>();
            for (Application application : applications) {
                Path directory = launcher.directory();
                Storage.Address database = Storage.sqlite().fresh(directory);
                start(application, directory, database); // makes tables and archives
                directories.add(directory);
                databases.add(database);
                figures.add(new Figures(application.label(), new Series()));
            }
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < applications.size(); i++) {
                    figures.get(i).seconds().add(start(applications.get(i), directories.get(i), databases.get(i)));
                }
            }
        }
        return figures;
    }

    private static double start(Application application, Path directory, Storage.Address database)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        try (Running running = application.launch(directory, database)) {
            running.awaitReady();
            return (System.nanoTime() - begin) / 1e9;
        }
    }

    private static void report(Section section, String jdk, List<Figures> figures) {
        Series ours = figures.get(figures.size() - 1).seconds();
        for (Figures one : figures) {
            section.row(
                    jdk,
                    one.label(),
                    one.seconds().shown(SECONDS),
                    one.seconds().spread(SECONDS),
                    one.seconds() == ours
                            ? ""
                            : Section.share(ours.median(), one.seconds().median()));
        }
    }
}
