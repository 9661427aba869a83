// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB server that ends with the process that started it, and whose data survives {@link #kill()} and {@link
 * #restart()}. Thread-safe.
 */
public final class MariaDbServer implements AutoCloseable {
    private static @Nullable MariaDbServer shared;
    private static int databases;

    private final Path home;
    private final int port = Ports.free();
    private final boolean durable;
    private ServerProcess process;

    private MariaDbServer(boolean durable) throws IOException, MissingProgramException {
        this.durable = durable;
        String installer = find("mariadb-install-db");
        home = Files.createTempDirectory("porchlight-mariadb");
        install(installer);
        process = launch();
    }

    /**
     * Starts a server whose commits wait for the disk.
     *
     * @throws MissingProgramException if MariaDB is not installed
     * @throws IOException if the server does not start; the message contains its log
     */
    public static MariaDbServer startDurable() throws IOException, MissingProgramException {
        return new MariaDbServer(true);
    }

    /**
     * Returns the JDBC URL of a new, empty database, on one server for all tests of this process. Its commits do not wait
     * for the disk.
     *
     * @throws MissingProgramException if MariaDB is not installed
     * @throws IOException if the server does not start; the message contains its log
     */
    public static synchronized String freshDatabase() throws IOException, MissingProgramException {
        if (shared == null) {
            shared = new MariaDbServer(false);
        }
        return shared.jdbcUrl("test" + ++databases);
    }

    /** Returns the JDBC URL of a database, which the driver creates if it does not exist. */
    public String jdbcUrl(String database) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?user=root&createDatabaseIfNotExist=true";
    }

    /** Ends the server with {@code kill -9} and keeps its data. */
    public synchronized void kill() throws IOException {
        process.end(true);
    }

    /** Starts a killed server again, on the same port and data. */
    public synchronized void restart() throws IOException {
        process = launch();
    }

    /** Ends the server and removes its data. */
    @Override
    public synchronized void close() throws IOException {
        process.end(false);
    }

    private Path data() {
        return home.resolve("data");
    }

    private ServerProcess launch() throws IOException {
        List<String> command = new ArrayList<>(List.of(Program.find("mariadbd").orElse("mariadbd"), "--no-defaults"));
        command.addAll(List.of("--user=" + System.getProperty("user.name"), "--datadir=" + data()));
        command.addAll(List.of("--socket=" + home.resolve("socket"), "--port=" + port));
        command.addAll(List.of("--bind-address=127.0.0.1", "--skip-name-resolve", "--max-connections=200"));
        command.addAll(List.of("--innodb-buffer-pool-size=32M", "--innodb-log-file-size=16M"));
        command.addAll(List.of("--performance-schema=OFF", "--skip-log-bin"));
        command.add("--innodb-flush-log-at-trx-commit=" + (durable ? 1 : 0));
        return new ServerProcess(List.of(), home, "KILL", "ready for connections", command);
    }

    private static String find(String program) throws MissingProgramException {
        return Program.find(program)
                .orElseThrow(() ->
                        new MissingProgramException("no MariaDB server found: install one (Debian: mariadb-server)"));
    }

    private void install(String installer) throws IOException {
        ProcessBuilder installing = new ProcessBuilder(
                installer,
                "--no-defaults",
                "--datadir=" + data(),
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--innodb-log-file-size=16M",
                "--user=" + System.getProperty("user.name"));
        installing.environment().put("TMPDIR", home.toString()); // a starting server deletes what it finds there
        Program.run(installing);
    }
}
