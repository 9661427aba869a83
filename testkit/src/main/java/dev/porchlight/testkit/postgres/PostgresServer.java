// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server that lives as long as the process that started it. Its data is thrown away at the end, so it does
 * not wait for the disk. Thread-safe.
 */
public final class PostgresServer implements AutoCloseable {
    /** The database user, who may do anything and needs no password. */
    public static final String USER = "porchlight";

    private static final Duration START = Duration.ofSeconds(30);

    /**
     * Runs the server until standard input ends, which also happens when the process at its other end dies, whatever it
     * dies of; then removes the data.
     */
    private static final String UNTIL_END_OF_INPUT =
            "data=$1; shift; \"$@\" & server=$!; read -r _; kill -INT $server; wait $server; rm -rf \"$data\"";

    private static @Nullable PostgresServer shared;
    private static int databases;

    private final PostgresInstallation installation;
    private final Process process;
    private final int port;

    private PostgresServer(PostgresInstallation installation, Process process, int port) {
        this.installation = installation;
        this.process = process;
        this.port = port;
    }

    /**
     * Starts a server.
     *
     * @throws PostgresMissingException if there is none on this machine
     * @throws IOException if it does not start; the message holds what it said
     */
    public static PostgresServer start() throws IOException, PostgresMissingException {
        PostgresInstallation installation = PostgresInstallation.find();
        // Not java.io.tmpdir: the server runs as another user, who must reach every directory on the way.
        Path home = Files.createTempDirectory(Path.of("/tmp"), "porchlight-postgres");
        installation.giveToServerUser(home);
        Path data = home.resolve("data");
        installation.run("initdb", "-D", data.toString(), "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "-N");
        int port = freePort();
        List<String> command = new ArrayList<>(List.of("sh", "-c", UNTIL_END_OF_INPUT, "sh", home.toString()));
        command.addAll(List.of(installation.binary("postgres"), "-D", data.toString(), "-k", home.toString()));
        command.addAll(List.of("-h", "127.0.0.1", "-p", Integer.toString(port), "-N", "200", "-F"));
        Path log = home.resolve("log");
        Process process = new ProcessBuilder(installation.asServerUser(command))
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        var server = new PostgresServer(installation, process, port);
        try {
            server.awaitReady(log);
        } catch (IOException e) {
            server.close();
            throw e;
        }
        return server;
    }

    /**
     * The JDBC address of a new, empty database, on one server for all tests of this process; it ends with the process.
     *
     * @throws PostgresMissingException if there is none on this machine
     * @throws IOException if it does not start; the message holds what it said
     */
    public static synchronized String freshDatabase() throws IOException, PostgresMissingException {
        if (shared == null) {
            shared = start();
        }
        String name = "test" + ++databases;
        shared.createDatabase(name);
        return shared.jdbcUrl(name);
    }

    /** The JDBC address of a database of this server. */
    public String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=" + USER;
    }

    /** The port on 127.0.0.1. */
    public int port() {
        return port;
    }

    /** Makes an empty database. */
    public void createDatabase(String name) throws IOException {
        installation.run("createdb", "-h", "127.0.0.1", "-p", Integer.toString(port), "-U", USER, name);
    }

    /** Stops the server and removes its data. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(START.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }

    private void awaitReady(Path log) throws IOException {
        long deadline = System.nanoTime() + START.toNanos();
        while (System.nanoTime() < deadline && process.isAlive()) {
            if (installation.succeeds("pg_isready", "-q", "-h", "127.0.0.1", "-p", Integer.toString(port))) {
                return;
            }
        }
        throw new IOException("PostgreSQL did not start: " + Files.readString(log));
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
