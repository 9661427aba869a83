// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.bench.report.Benchmark;
import dev.porchlight.bench.report.Measurements;
import dev.porchlight.bench.report.Section;
import dev.porchlight.support.JavaHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The time from process start to the first 200, with existing tables. */
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
                .columns(2, "JDK | contestant | time | spread | ours takes");
        List<Path> springs = peers.built("spring");
        for (Path javaHome : Jdk.all()) {
            List<Application> applications = new ArrayList<>();
            for (Path spring : springs) {
                applications.add(new SpringPeer(spring, javaHome));
                applications.add(new SpringPeer(
                        SpringPeer.NAME + ", unpacked, archived classes", spring, javaHome, List.of(), true));
            }
            applications.add(new Porchlight("Porchlight", javaHome, Porchlight.SESSION));
            measure(section, Integer.toString(JavaHome.feature(javaHome)), Storage.sqlite(), applications, rounds);
        }
        return peers.remark(section).goal("a quarter of Spring's time", rounds);
    }

    /** An application with existing tables and archives, and its start times. */
    private record Contestant(Application application, Path directory, Storage.Address database, Measurements seconds) {
        void start() throws IOException, InterruptedException {
            long begin = System.nanoTime();
            try (Running running = application.launch(directory, database)) {
                running.awaitReady();
                seconds.add((System.nanoTime() - begin) / 1e9);
            }
        }
    }

    /**
     * Adds a row for each application, of which the last is ours.
     *
     * @param label the first cell of each row
     */
    static void measure(
            Section section, String label, Storage storage, List<? extends Application> applications, int rounds)
            throws IOException, InterruptedException {
        List<Contestant> contestants = new ArrayList<>();
        try (Launcher launcher = new Launcher()) {
            for (Application application : applications) {
                Path directory = launcher.directory();
                Storage.Address database = storage.fresh(directory);
                new Contestant(application, directory, database, new Measurements())
                        .start(); // creates tables and archives
                contestants.add(new Contestant(application, directory, database, new Measurements()));
            }
            for (int round = 0; round < rounds; round++) {
                for (Contestant contestant : contestants) {
                    contestant.start();
                }
            }
        }
        Measurements ours = contestants.get(contestants.size() - 1).seconds();
        for (Contestant one : contestants) {
            Measurements seconds = one.seconds();
            section.row(
                    label,
                    one.application().label(),
                    seconds.shown(SECONDS),
                    seconds.spread(SECONDS),
                    seconds.share(ours));
        }
    }
}
