// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.database;

import dev.porchlight.rig.Event;
import dev.porchlight.rig.process.CpuTime;
import dev.porchlight.rig.process.Ports;
import dev.porchlight.rig.process.Program;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.postgres.PostgresInstallation;
import dev.porchlight.testkit.postgres.PostgresMissingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server on a fixed port whose data outlives its processes. Commits wait for the disk. It ends
 * with the process that started it. Not thread-safe.
 */
public final class Cluster implements AutoCloseable {
    private static final String USER = "porchlight";
    private static final String DATABASE = "postgres";
    private static final Duration TIMEOUT = Patience.LIMIT;

    /** Runs the server until standard input ends, which also happens when the parent process dies. */
    private static final String UNTIL_END_OF_INPUT = "\"$@\" & server=$!; read -r _; kill -QUIT $server; wait $server";

    private static @Nullable Path shared;

    private final PostgresInstallation installation;
    private final Path home;
    private final int port = Ports.free();
    private @Nullable Process process;

    private Cluster(PostgresInstallation installation) throws IOException {
        this.installation = installation;
        home = home(installation);
    }

    /** Creates a new directory that the server may write to. */
    private static Path home(PostgresInstallation installation) throws IOException {
        // not java.io.tmpdir: the server runs as another user, who needs access to every parent directory
        Path home = Files.createTempDirectory(Path.of("/tmp"), "porchlight-cluster");
        installation.giveToServerUser(home);
        return home;
    }

    /** Creates and starts a server with an empty database. */
    public static Cluster create() throws IOException, PostgresMissingException {
        Cluster cluster = new Cluster(PostgresInstallation.find());
        try {
            Program.run("cp", "-a", template(cluster.installation).toString(), cluster.data());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        cluster.start();
        return cluster;
    }

    /** The data directory of a new server, created once per process and copied, since {@code initdb} is slow. */
    private static synchronized Path template(PostgresInstallation installation) throws IOException {
        if (shared == null) {
            Path home = home(installation);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(home)));
            Path data = home.resolve("data");
            installation.run(
                    "initdb", "-D", data.toString(), "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "-N");
            shared = data;
        }
        return shared;
    }

    /** Creates a synchronous standby. From now on this server acknowledges no commit without it. */
    public Cluster standby() throws IOException {
        Cluster standby = new Cluster(installation);
        installation.run(
                "pg_basebackup",
                "-h",
                "127.0.0.1",
                "-p",
                portText(),
                "-U",
                USER,
                "-D",
                standby.data(),
                "-R",
                "-c",
                "fast");
        standby.start();
        sql("alter system set synchronous_standby_names = '*'");
        sql("select pg_reload_conf()");
        return standby;
    }

    /** Promotes this standby to a primary without synchronous replication. */
    public void promote() throws IOException {
        sql("select pg_promote(true, 60)");
    }

    /** Starts the server, also after a kill, and waits until it accepts connections. */
    public void start() throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", UNTIL_END_OF_INPUT, "sh"));
        command.addAll(List.of(installation.binary("postgres"), "-D", data(), "-k", home.toString()));
        command.addAll(List.of("-h", "127.0.0.1", "-p", portText(), "-N", "100"));
        Path log = home.resolve("log");
        int before = Files.exists(log) ? Files.readString(log).length() : 0;
        Process started = new ProcessBuilder(installation.asServerUser(command))
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        process = started;
        Event ready = () -> Files.readString(log).substring(before).contains("ready to accept") || !started.isAlive();
        try {
            if (!ready.await(TIMEOUT) || !started.isAlive()) {
                throw new IOException("PostgreSQL did not start: " + Files.readString(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Sends SIGKILL to all processes: clients see their connections reset. */
    public void kill() throws IOException, InterruptedException {
        Program.signal("STOP", postmaster()); // so that it forks no more children
        processes().forEach(ProcessHandle::destroyForcibly);
        ended();
    }

    /** Stops like {@code pg_ctl stop -m immediate}: no checkpoint, clients are disconnected. */
    public void stopImmediately() throws IOException, InterruptedException {
        Program.signal("QUIT", postmaster());
        ended();
    }

    /** Sends SIGSTOP to all processes: connections stay open and the server does not respond. */
    public void pause() throws IOException, InterruptedException {
        for (ProcessHandle one : processes()) {
            Program.signal("STOP", one.pid());
        }
    }

    /** Sends SIGCONT to all processes. */
    public void resume() throws IOException, InterruptedException {
        for (ProcessHandle one : processes()) {
            Program.signal("CONT", one.pid());
        }
    }

    /** Runs a statement and returns its result, one line per row. */
    public String sql(String statement) throws IOException {
        try {
            return Program.run(
                            installation.binary("psql"),
                            "-h",
                            "127.0.0.1",
                            "-p",
                            portText(),
                            "-U",
                            USER,
                            "-d",
                            DATABASE,
                            "-X",
                            "-A",
                            "-t",
                            "-q",
                            "-v",
                            "ON_ERROR_STOP=1",
                            "-c",
                            statement)
                    .strip();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Creates a role that must authenticate with a password, and returns its name. */
    public String requirePassword(String role, String password) throws IOException {
        sql("create role " + role + " login superuser password '" + password + "'");
        Path access = home.resolve("data/pg_hba.conf");
        Files.writeString(access, "host all " + role + " 127.0.0.1/32 scram-sha-256\n" + Files.readString(access));
        sql("select pg_reload_conf()");
        return role;
    }

    /** CPU time used so far, including ended processes. */
    public Duration cpu() throws IOException {
        return CpuTime.of(processes().stream()).plus(CpuTime.ofEndedChildren(postmaster()));
    }

    public int port() {
        return port;
    }

    /** The JDBC URL of its database, through these local ports if any are given. */
    public String jdbcUrl(int... ports) {
        StringBuilder hosts = new StringBuilder();
        for (int each : ports.length == 0 ? new int[] {port} : ports) {
            hosts.append(hosts.isEmpty() ? "" : ",").append("127.0.0.1:").append(each);
        }
        return "jdbc:postgresql://" + hosts + "/" + DATABASE + "?user=" + USER;
    }

    /** Stops the server immediately and removes its data. */
    @Override
    public void close() throws IOException {
        try {
            if (process != null && process.isAlive()) {
                kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        remove(home);
    }

    private static void remove(Path directory) {
        try {
            Program.run("rm", "-rf", directory.toString());
        } catch (IOException e) {
            // best effort: it is under /tmp
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ended() throws IOException, InterruptedException {
        Process ending = process;
        if (ending != null) {
            ending.getOutputStream().close();
            ending.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }
        process = null;
    }

    private List<ProcessHandle> processes() throws IOException {
        ProcessHandle first = ProcessHandle.of(postmaster()).orElseThrow(() -> new IOException("not running"));
        return Stream.concat(Stream.of(first), first.descendants()).toList();
    }

    private long postmaster() throws IOException {
        return Long.parseLong(
                Files.readAllLines(home.resolve("data/postmaster.pid")).get(0));
    }

    private String data() {
        return home.resolve("data").toString();
    }

    private String portText() {
        return Integer.toString(port);
    }
}
