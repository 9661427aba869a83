// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.bench.passkey.Cores;
import dev.porchlight.bench.report.Benchmark;
import dev.porchlight.bench.report.Measurements;
import dev.porchlight.bench.report.Section;
import dev.porchlight.rig.CpuTime;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.Task;
import dev.porchlight.server.operator.capacity.Sizing;
import dev.porchlight.testkit.server.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;

/** Compares the capacity model with measurements, with one and with two instances on one PostgreSQL server. */
public final class CapacityBenchmark implements Benchmark {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int PEOPLE = 8 * Load.CONNECTIONS;
    private static final URI ORIGIN = URI.create("http://localhost:8080");

    private static final String SECRET = "the secret that both instances of the benchmark have";

    /** Each table and its size with indexes; partitions count for their table. */
    private static final String SIZES = """
        select coalesce(parent.relname, part.relname), sum(pg_total_relation_size(part.oid))
        from pg_class part
        left join pg_inherits on inhrelid = part.oid
        left join pg_class parent on parent.oid = inhparent
        where part.relkind = 'r' and part.relnamespace = 'public'::regnamespace
        group by 1 order by 1\
        """;

    private static final int ENOUGH_ROWS = 100;

    @Override
    public String name() {
        return "capacity";
    }

    @Override
    public Section run(int rounds) throws Exception {
        Section section = new Section(name(), "The capacity model compared with measurements, on PostgreSQL")
                .columns(
                        1,
                        "instances | logins per second | spread | predicted | off by | checks in an instance"
                                + " | checks in PostgreSQL | transactions | WAL | failed");
        String rows = "";
        String registration = "";
        for (int instances = 1; instances <= 2; instances++) {
            try (PostgresServer server = PostgresServer.startDurable();
                    Launcher launcher = new Launcher()) {
                List<Running> running = start(launcher, server, instances);
                measure(section, running, server, rounds);
                if (instances == 1) {
                    rows = bytes(server);
                    registration = registration(running, server);
                }
            }
        }
        section.remark(
                "A check is the CPU time of one bare signature check on the same machine. The load generator's CPU is"
                        + " measured and passed to the model, because it uses the same %d cores.",
                Cores.COUNT);
        section.remark("%s Bytes per row, indexes included: %s.", registration, rows);
        return section.goal("the prediction is within 20 %", rounds);
    }

    private static List<Running> start(Launcher launcher, PostgresServer server, int instances)
            throws IOException, InterruptedException {
        Porchlight application = new Porchlight(
                "Porchlight",
                Jdk.OURS,
                Map.of("LOGIN_RESULT", "session", "RP_ORIGIN", ORIGIN.toString(), "SESSION_SECRET", SECRET));
        List<Running> running = new ArrayList<>();
        for (int i = 0; i < instances; i++) {
            running.add(launcher.start(application, new Storage.Address(true, server.jdbcUrl(), "")));
        }
        return running;
    }

    private static void measure(Section section, List<Running> instances, PostgresServer server, int rounds)
            throws Exception {
        People people = register(instances, "user-");
        IntFunction<Task> logins = worker -> people.logins(
                        instances.get(worker % instances.size()).instance().address(), Load.CONNECTIONS, TIMEOUT)
                .apply(worker);
        for (int done = 0; done < Load.WARM_LOGINS * instances.size(); ) {
            done += Loop.closed(Load.CONNECTIONS, logins).runFor(Load.SLICE).count();
        }

        Measurements rate = new Measurements();
        Measurements predicted = new Measurements();
        Measurements ours = new Measurements();
        Measurements database = new Measurements();
        Measurements transactions = new Measurements();
        Measurements wal = new Measurements();
        Measurements failed = new Measurements();
        for (int round = 0; round < rounds; round++) {
            double check = Cores.verify(Duration.ofSeconds(1)).cpuMicros();
            Used before = Used.soFar(instances, server);
            Outcome outcome = Loop.closed(Load.CONNECTIONS, logins).runFor(Load.SLICE);
            Used used = Used.soFar(instances, server).minus(before).per(outcome.count());
            rate.add(outcome.okPerSecond());
            predicted.add(Sizing.loginsPerSecond(Cores.COUNT, check, used.load()));
            ours.add(used.instances() / check);
            database.add(used.database() / check);
            transactions.add(used.transactions());
            wal.add(used.walBytes());
            failed.add(Load.errors(outcome));
        }
        section.row(
                Integer.toString(instances.size()),
                rate.shown("%,.0f"),
                rate.spread("%,.0f"),
                predicted.shown("%,.0f"),
                String.format(Locale.ROOT, "%+.0f %%", 100 * (predicted.median() / rate.median() - 1)),
                ours.shown("%.1f"),
                database.shown("%.1f"),
                transactions.shown("%.2f"),
                wal.shown("%,.0f B"),
                failed.total());
    }

    /** Resources used in total, or per login: CPU in microseconds, transactions, and bytes of the write-ahead log. */
    private record Used(double load, double instances, double database, double transactions, double walBytes) {
        static Used soFar(List<Running> instances, PostgresServer server) throws IOException {
            String[] counted = server.sql("select sum(xact_commit), pg_current_wal_lsn() - '0/0' from pg_stat_database")
                    .split("\\|", -1);
            return new Used(
                    micros(Load.own()),
                    instances.stream().mapToDouble(one -> micros(one.cpu())).sum(),
                    micros(CpuTime.ofServer(server.processes())),
                    Double.parseDouble(counted[0]),
                    Double.parseDouble(counted[1]));
        }

        Used minus(Used earlier) {
            return new Used(
                    load - earlier.load,
                    instances - earlier.instances,
                    database - earlier.database,
                    transactions - earlier.transactions,
                    walBytes - earlier.walBytes);
        }

        Used per(int logins) {
            return new Used(
                    load / logins, instances / logins, database / logins, transactions / logins, walBytes / logins);
        }

        private static double micros(Duration time) {
            return time.toNanos() / 1e3;
        }
    }

    private static String registration(List<Running> instances, PostgresServer server) throws Exception {
        register(instances, "second-");
        double check = Cores.verify(Duration.ofSeconds(1)).cpuMicros();
        Used before = Used.soFar(instances, server);
        register(instances, "third-");
        Used used = Used.soFar(instances, server).minus(before).per(PEOPLE);
        return String.format(
                Locale.ROOT,
                "A sign-up with its passkey takes %.1f checks in an instance and %.1f in PostgreSQL, in %.2f"
                        + " transactions.",
                used.instances() / check,
                used.database() / check,
                used.transactions());
    }

    private static People register(List<Running> instances, String prefix) throws IOException, InterruptedException {
        return People.register(instances.get(0).instance().address(), ORIGIN, prefix, PEOPLE);
    }

    private static String bytes(PostgresServer server) throws IOException {
        List<String> all = new ArrayList<>();
        for (String line : server.sql(SIZES).split("\n", -1)) {
            String[] table = line.split("\\|", -1);
            long rows = Long.parseLong(server.sql("select count(*) from " + table[0]));
            if (rows >= ENOUGH_ROWS) {
                all.add(String.format(Locale.ROOT, "%s %,d", table[0], Long.parseLong(table[1]) / rows));
            }
        }
        return String.join(", ", all);
    }
}
