// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.bench.report.Benchmark;
import dev.porchlight.bench.report.Measurements;
import dev.porchlight.bench.report.Section;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.support.JavaHome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The first minute of the service under modest load, with each kind of class archive of the JDK. */
public final class WarmupBenchmark implements Benchmark {
    private static final String SECONDS = "%.2f s";
    private static final String MILLIS = "%.1f ms";
    private static final int PER_SECOND = 20;
    private static final int CONNECTIONS = 16;
    private static final int PEOPLE = 64;
    private static final int AOT_CACHE_SINCE = 25;
    private static final Duration LENGTH = Duration.ofMinutes(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "warmup";
    }

    @Override
    public Section run(int rounds) throws Exception {
        Section section = new Section(
                        name(), "The first minute at " + PER_SECOND + " logins per second, on SQLite, by class archive")
                .columns(
                        2,
                        "JDK | archive | first 200 | spread | CPU until then | spread | CPU including the minute"
                                + " | spread | p50 | p99 | failed");
        for (Path javaHome : Jdk.all()) {
            try (Launcher launcher = new Launcher()) {
                List<Contestant> contestants = contestants(javaHome, launcher);
                for (int round = 0; round < rounds; round++) {
                    for (Contestant contestant : contestants) {
                        contestant.run();
                    }
                }
                for (Contestant contestant : contestants) {
                    contestant.report(section, Integer.toString(JavaHome.feature(javaHome)));
                }
            }
        }
        return section.goal("the last archive, which the launcher creates, uses the least CPU", rounds);
    }

    private static List<Contestant> contestants(Path javaHome, Launcher launcher)
            throws IOException, InterruptedException {
        boolean aot = JavaHome.feature(javaHome) >= AOT_CACHE_SINCE;
        List<Contestant> contestants = new ArrayList<>();
        contestants.add(new Contestant("the JDK's own", javaHome, launcher.directory(), "-Xshare:auto"));
        if (aot) {
            Path directory = launcher.directory();
            // written when the first run ends
            contestants.add(new Contestant(
                    "class data",
                    javaHome,
                    directory,
                    "-XX:+AutoCreateSharedArchive",
                    "-XX:SharedArchiveFile=" + directory.resolve("classes.jsa")));
        }
        contestants.add(new Contestant(aot ? "AOT cache" : "class data", javaHome, launcher.directory()));
        return contestants;
    }

    /** The service with an archive and registered users. */
    private static final class Contestant {
        private final String archive;
        private final Launch launch;
        private final People people;
        private final Measurements ready = new Measurements();
        private final Measurements cpuUntilReady = new Measurements();
        private final Measurements cpu = new Measurements();
        private final Measurements p50 = new Measurements();
        private final Measurements p99 = new Measurements();
        private final Measurements failed = new Measurements();

        Contestant(String archive, Path javaHome, Path directory, String... options)
                throws IOException, InterruptedException {
            this.archive = archive;
            launch = Launch.in(directory).with("JAVA_HOME", javaHome.toString()).jvm(options);
            try (Running running = start()) {
                people = running.register(PEOPLE);
            }
        }

        private Running start() throws IOException, InterruptedException {
            return Running.withOurRoutes(archive, launch.launch()).awaitReady();
        }

        void run() throws IOException, InterruptedException {
            long begin = System.nanoTime();
            try (Running running = start()) {
                ready.add((System.nanoTime() - begin) / 1e9);
                cpuUntilReady.add(running.cpu().toNanos() / 1e9);
                var logins = people.logins(running.instance().address(), CONNECTIONS, TIMEOUT);
                Outcome outcome = Loop.open(PER_SECOND, CONNECTIONS, logins).runFor(LENGTH);
                cpu.add(running.cpu().toNanos() / 1e9);
                p50.add(outcome.millis(0.50));
                p99.add(outcome.millis(0.99));
                failed.add(Load.errors(outcome));
            }
        }

        void report(Section section, String jdk) {
            section.row(
                    jdk,
                    archive,
                    ready.shown(SECONDS),
                    ready.spread(SECONDS),
                    cpuUntilReady.shown(SECONDS),
                    cpuUntilReady.spread(SECONDS),
                    cpu.shown(SECONDS),
                    cpu.spread(SECONDS),
                    p50.shown(MILLIS),
                    p99.shown(MILLIS),
                    failed.total());
        }
    }
}
