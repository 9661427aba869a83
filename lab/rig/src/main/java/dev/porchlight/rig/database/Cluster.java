// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.database;

import dev.porchlight.rig.Event;
import dev.porchlight.rig.process.CpuTime;
import dev.porchlight.rig.process.Ports;
import dev.porchlight.rig.process.Program;
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
 * A PostgreSQL server with its data, which outlives its processes, on a port that it keeps. Commits wait for the disk. It ends
 * with the process that started it. For one thread.
 */
public final class Cluster implements AutoCloseable {
    private static final String USER = "porchlight";
    private static final String DATABASE = "postgres";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Runs the server until standard input ends, which also happens when the process at its other end dies. */
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

    /** A new directory that the server may write to. */
    private static Path home(PostgresInstallation installation) throws IOException {
        // Not java.io.tmpdir: the server runs as another user, who must reach every directory on the way.
        Path home = Files.createTempDirectory(Path.of("/tmp"), "porchlight-cluster");
        installation.giveToServerUser(home);
        return home;
    }

    /** Makes one with an empty database and starts it. */
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

    /** Makes a standby that follows this one, without which this one acknowledges no commit from now on. */
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

    /** Makes a standby a server of its own, which waits for no other. */
    public void promote() throws IOException {
        sql("select pg_promote(true, 60)");
    }

    /** Starts it, also after it was killed, and waits until it takes connections. */
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
            if (!ready.await(PATIENCE) || !started.isAlive()) {
                throw new IOException("PostgreSQL did not start: " + Files.readString(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** SIGKILL to all of its processes: clients see their connections reset. */
    public void kill() throws IOException, InterruptedException {
        Program.signal("STOP", postmaster()); // so that it has no further children
        processes().forEach(ProcessHandle::destroyForcibly);
        ended();
    }

    /** What {@code pg_ctl stop -m immediate} does: no checkpoint, clients are cut off. */
    public void stopImmediately() throws IOException, InterruptedException {
        Program.signal("QUIT", postmaster());
        ended();
    }

    /** SIGSTOP to all of its processes: connections stay, and nothing answers. */
    public void pause() throws IOException, InterruptedException {
        for (ProcessHandle one : processes()) {
            Program.signal("STOP", one.pid());
        }
    }

    /** SIGCONT to all of its processes. */
    public void resume() throws IOException, InterruptedException {
        for (ProcessHandle one : processes()) {
            Program.signal("CONT", one.pid());
        }
    }

    /** Runs a statement and returns what it yields, a line a row. */
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

    /** Makes a role that must tell its password, and returns its name. */
    public String requirePassword(String role, String password) throws IOException {
        sql("create role " + role + " login superuser password '" + password + "'");
        Path access = home.resolve("data/pg_hba.conf");
        Files.writeString(access, "host all " + role + " 127.0.0.1/32 scram-sha-256\n" + Files.readString(access));
        sql("select pg_reload_conf()");
        return role;
    }

    /** CPU time that its processes have used so far, those that have ended included. */
    public Duration cpu() throws IOException {
        return CpuTime.of(processes().stream()).plus(CpuTime.ofEndedChildren(postmaster()));
    }

    public int port() {
        return port;
    }

    /** The JDBC address of its database, through these ports of this machine in place of its own, if any are given. */
    public String jdbcUrl(int... ports) {
        StringBuilder hosts = new StringBuilder();
        for (int each : ports.length == 0 ? new int[] {port} : ports) {
            hosts.append(hosts.isEmpty() ? "" : ",").append("127.0.0.1:").append(each);
        }
        return "jdbc:postgresql://" + hosts + "/" + DATABASE + "?user=" + USER;
    }

    /** Ends it at once and removes its data. */
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
            // it is under /tmp, and more cannot be done
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ended() throws IOException, InterruptedException {
        Process ending = process;
        if (ending != null) {
            ending.getOutputStream().close();
            ending.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
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
