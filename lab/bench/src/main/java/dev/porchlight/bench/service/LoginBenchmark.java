// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.bench.passkey.Cores;
import dev.porchlight.bench.report.Benchmark;
import dev.porchlight.bench.report.Measurements;
import dev.porchlight.bench.report.Section;
import dev.porchlight.bench.service.LoginTables.LoginFigures;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.testkit.server.MissingProgramException;
import dev.porchlight.testkit.server.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Whole logins, options and finish, on both databases. All applications run, and one at a time is under load. */
public final class LoginBenchmark implements Benchmark {
    private static final Duration PACED = Duration.ofSeconds(2);
    private static final double RATE = 100;

    private static final String GOAL =
            "5 times Spring's logins, 1.5 times Node's, twice Go's on SQLite and 1.5 times on PostgreSQL, a shorter"
                    + " p50 than Go's; the CPU of at most 3.5 signature checks on SQLite and 4.5 on PostgreSQL, 350 µs of"
                    + " PostgreSQL's own, 15 context switches on PostgreSQL";

    private final Peers peers = new Peers(System.out);
    private final Measurements verifications = new Measurements();
    private final Measurements check = new Measurements();

    @Override
    public String name() {
        return "login";
    }

    @Override
    public Section run(int rounds) throws Exception {
        List<Application> applications = new ArrayList<>();
        peers.built("spring").forEach(home -> applications.add(new SpringPeer(home, Jdk.OURS)));
        peers.built("node").forEach(home -> applications.add(CommandPeer.node(home)));
        peers.built("go").forEach(home -> applications.add(CommandPeer.go(home)));
        applications.add(new Porchlight("Porchlight, with a token", Jdk.OURS, Map.of()));
        applications.add(new Porchlight("Porchlight", Jdk.OURS, Porchlight.SESSION));

        LoginTables tables = new LoginTables(verifications, check);
        tables.add(Storage.sqlite(), measure(Storage.sqlite(), applications, rounds));
        try (PostgresServer server = PostgresServer.startDurable()) {
            Storage postgres = Storage.postgres(server);
            tables.add(postgres, measure(postgres, applications, rounds));
        } catch (MissingProgramException e) {
            peers.leaveOut("PostgreSQL", e);
        }
        Section section = new Section(
                name(), "Logins over HTTP, options and finish, real signatures, " + Load.CONNECTIONS + " connections");
        tables.write(section);
        peers.remark(section)
                .remark(
                        "p50 and p99 are measured at %.0f logins per second. CPU is the application's processes;"
                                + " PostgreSQL's is listed separately. Context switches are counted for the whole machine,"
                                + " including the load. Without other work, the %d cores verified %,.0f signatures per"
                                + " second, at %.0f µs of CPU each.",
                        RATE, Cores.COUNT, verifications.median(), check.median());
        return section.goal(GOAL, rounds);
    }

    private List<LoginFigures> measure(Storage storage, List<Application> applications, int rounds)
            throws IOException, InterruptedException {
        List<LoginFigures> figures = new ArrayList<>();
        try (Launcher launcher = new Launcher()) {
            List<Load> loads = new ArrayList<>();
            for (Application application : applications) {
                try {
                    Running running = launcher.start(application, storage);
                    RefusalCheck.run(running.instance().address(), running.routes());
                    loads.add(new Load(running));
                } catch (IOException | UncheckedIOException e) {
                    if (application instanceof Porchlight) {
                        throw e;
                    }
                    peers.leaveOut(application.label() + " on " + storage.label(), e);
                }
            }
            for (Load load : loads) {
                load.warmUp();
                figures.add(new LoginFigures(load.application().label()));
            }
            for (int round = 0; round < rounds; round++) {
                Cores.Verified verified = Cores.verify(Duration.ofSeconds(1));
                verifications.add(verified.perSecond());
                check.add(verified.cpuMicros());
                for (int i = 0; i < loads.size(); i++) {
                    add(figures.get(i), loads.get(i), storage);
                }
            }
        }
        return figures;
    }

    private static void add(LoginFigures figures, Load load, Storage storage) throws IOException, InterruptedException {
        Duration server = storage.cpu();
        long switches = contextSwitches();
        Load.Throughput throughput = load.closed(Load.SLICE);
        figures.switches.add((contextSwitches() - switches) / throughput.logins());
        figures.server.add(storage.cpu().minus(server).toNanos() / 1e3 / throughput.logins());
        Outcome paced = load.open(RATE, PACED);
        figures.perSecond.add(throughput.perSecond());
        figures.cpu.add(throughput.cpuMicros());
        figures.load.add(throughput.ownMicros());
        figures.p50.add(paced.millis(0.50));
        figures.p99.add(paced.millis(0.99));
        figures.failed.add(throughput.errors() + Load.errors(paced));
    }

    /** Context switches of the whole machine since boot, as reported by Linux. */
    private static long contextSwitches() throws IOException {
        return Files.readAllLines(Path.of("/proc/stat")).stream()
                .filter(line -> line.startsWith("ctxt "))
                .mapToLong(line -> Long.parseLong(line.substring(5)))
                .findFirst()
                .orElseThrow(() -> new IOException("/proc/stat has no context switches"));
    }
}
