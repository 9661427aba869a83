// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server that ends with the process that started it. Its data survives {@link #kill()} and {@link #restart()}. It can
 * hang, and have a standby that takes over. Thread-safe.
 */
public final class PostgresServer implements AutoCloseable {
    /** The database user: a superuser without a password. */
    public static final String USER = "porchlight";

    private static @Nullable PostgresServer shared;
    private static int databases;
    private static @Nullable Path template;

    private final PostgresInstallation installation;
    private final Path home;
    private final int port = Ports.free();
    private final boolean durable;
    private @Nullable ServerProcess process;

    private PostgresServer(PostgresInstallation installation, boolean durable) throws IOException {
        this.installation = installation;
        this.durable = durable;
        home = installation.directory("porchlight-postgres");
    }

    /**
     * Starts a server whose commits wait for the disk.
     *
     * @throws MissingProgramException if it is not installed
     * @throws IOException if it does not start; the message contains its output
     */
    public static PostgresServer startDurable() throws IOException, MissingProgramException {
        return start(true);
    }

    private static PostgresServer start(boolean durable) throws IOException, MissingProgramException {
        PostgresServer server = new PostgresServer(PostgresInstallation.find(), durable);
        Program.run("cp", "-a", template(server.installation).toString(), server.data());
        server.restart();
        return server;
    }

    /** The data directory of a new server, created once per process and copied, since {@code initdb} is slow. */
    private static synchronized Path template(PostgresInstallation installation) throws IOException {
        if (template == null) {
            Path directory = installation.directory("porchlight-template");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(directory)));
            Path data = directory.resolve("data");
            installation.run(
                    "initdb", "-D", data.toString(), "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "-N");
            template = data;
        }
        return template;
    }

    /**
     * Returns the JDBC URL of a new, empty database on a server that all tests of this process share. Its commits do not wait for
     * the disk.
     *
     * @throws MissingProgramException if it is not installed
     * @throws IOException if it does not start; the message contains its output
     */
    public static synchronized String freshDatabase() throws IOException, MissingProgramException {
        if (shared == null) {
            shared = start(false);
        }
        String name = "test" + ++databases;
        shared.sql("create database " + name);
        return shared.jdbcUrl(name);
    }

    /** Returns the statements that create the tables of a database, as {@code pg_dump} writes them. */
    public static String schema(String jdbcUrl) throws IOException, MissingProgramException {
        String dump = PostgresInstallation.find().binary("pg_dump");
        return Program.run(dump, "--schema-only", "--no-owner", "--no-privileges", jdbcUrl.substring("jdbc:".length()));
    }

    /** Returns the JDBC URL of a database on this server. */
    public String jdbcUrl(String database) {
        return jdbcUrl(database, port);
    }

    /** Returns the JDBC URL of its default database, through these local ports if any are given. */
    public String jdbcUrl(int... ports) {
        return jdbcUrl("postgres", ports.length == 0 ? new int[] {port} : ports);
    }

    private static String jdbcUrl(String database, int... ports) {
        List<String> hosts =
                IntStream.of(ports).mapToObj(each -> "127.0.0.1:" + each).toList();
        return "jdbc:postgresql://" + String.join(",", hosts) + "/" + database + "?user=" + USER;
    }

    /** The port on 127.0.0.1, which {@link #restart} keeps. */
    public int port() {
        return port;
    }

    /** Runs a statement and returns its result, one line per row. */
    public String sql(String statement) throws IOException {
        List<String> command = new ArrayList<>(List.of(installation.binary("psql"), "-h", "127.0.0.1", "-p"));
        command.addAll(List.of(Integer.toString(port), "-U", USER, "-d", "postgres", "-X", "-A", "-t", "-q"));
        command.addAll(List.of("-v", "ON_ERROR_STOP=1", "-c", statement));
        return Program.run(command.toArray(String[]::new)).strip();
    }

    /** Creates a role that must authenticate with a password, and returns its name. */
    public String requirePassword(String role, String password) throws IOException {
        sql("create role " + role + " login superuser password '" + password + "'");
        Path access = home.resolve("data/pg_hba.conf");
        Files.writeString(access, "host all " + role + " 127.0.0.1/32 scram-sha-256\n" + Files.readString(access));
        sql("select pg_reload_conf()");
        return role;
    }

    /** Creates a synchronous standby. From now on this server acknowledges no commit without it. */
    public PostgresServer standby() throws IOException {
        PostgresServer standby = new PostgresServer(installation, durable);
        String from = Integer.toString(port);
        installation.run(
                "pg_basebackup", "-h", "127.0.0.1", "-p", from, "-U", USER, "-D", standby.data(), "-R", "-c", "fast");
        standby.restart();
        sql("alter system set synchronous_standby_names = '*'");
        sql("select pg_reload_conf()");
        return standby;
    }

    /** Promotes this standby to a primary without synchronous replication. */
    public void promote() throws IOException {
        sql("select pg_promote(true, 60)");
    }

    /** Starts the server, also after a kill, and waits until it accepts connections. */
    public synchronized void restart() throws IOException {
        List<String> command = new ArrayList<>(List.of(installation.binary("postgres"), "-D", data(), "-k"));
        command.addAll(List.of(home.toString(), "-h", "127.0.0.1", "-p", Integer.toString(port), "-N", "200"));
        if (!durable) {
            command.add("-F");
        }
        process = new ServerProcess(installation.asServerUser(), home, "INT", "ready to accept", command);
    }

    /** Sends SIGKILL to all processes: clients see their connections reset. */
    public synchronized void kill() throws IOException {
        List<ProcessHandle> all = processes();
        Program.signal("STOP", all.subList(0, 1)); // so that it forks no more children
        processes().forEach(ProcessHandle::destroyForcibly);
        end();
    }

    /** Stops like {@code pg_ctl stop -m immediate}: no checkpoint, clients are disconnected. */
    public synchronized void stopImmediately() throws IOException {
        Program.signal("QUIT", processes().subList(0, 1));
        end();
    }

    /** Sends SIGSTOP to all processes: connections stay open and the server does not respond. */
    public void pause() throws IOException {
        Program.signal("STOP", processes());
    }

    /** Sends SIGCONT to all processes. */
    public void resume() throws IOException {
        Program.signal("CONT", processes());
    }

    /** The processes of the server, the first one first. */
    public List<ProcessHandle> processes() throws IOException {
        String pid = Files.readAllLines(home.resolve("data/postmaster.pid")).get(0);
        ProcessHandle first = ProcessHandle.of(Long.parseLong(pid)).orElseThrow(() -> new IOException("not running"));
        return Stream.concat(Stream.of(first), first.descendants()).toList();
    }

    /** Stops the server and removes its data. */
    @Override
    public synchronized void close() throws IOException {
        if (process != null && process.isAlive()) {
            kill();
        }
        remove(home);
    }

    private void end() throws IOException {
        if (process != null) {
            process.end(true);
        }
        process = null;
    }

    private static void remove(Path directory) {
        try {
            Program.run("rm", "-rf", directory.toString());
        } catch (IOException e) {
            // best effort: it is under /tmp
        }
    }

    private String data() {
        return home.resolve("data").toString();
    }
}
