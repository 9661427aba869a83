// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.mariadb;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB server that ends with the process that started it, and whose data survives {@link #kill()} and {@link
 * #restart()}. Thread-safe.
 */
public final class MariaDbServer implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final String READY = "ready for connections";

    /**
     * Starts the server and a watcher that kills it and removes its directory when standard input ends, which also happens
     * when the starting process dies. After a kill, the directory is kept for a restart.
     */
    private static final String UNTIL_END_OF_INPUT = "home=$1; shift; \"$@\" & server=$!;"
            + " read -r word; kill -KILL $server; wait $server; [ \"$word\" = keep ] || rm -rf \"$home\"";

    private static @Nullable MariaDbServer shared;
    private static int databases;

    private final Path home;
    private final int port;
    private final boolean durable;
    private Process process;

    private MariaDbServer(boolean durable) throws IOException, MariaDbMissingException {
        this.durable = durable;
        String installer = find("mariadb-install-db");
        home = Files.createTempDirectory("porchlight-mariadb");
        port = freePort();
        install(installer);
        process = launch();
    }

    /**
     * Starts a server whose commits wait for the disk.
     *
     * @throws MariaDbMissingException if MariaDB is not installed
     * @throws IOException if the server does not start; the message contains its log
     */
    public static MariaDbServer startDurable() throws IOException, MariaDbMissingException {
        return new MariaDbServer(true);
    }

    /**
     * Returns the JDBC URL of a new, empty database, on one server for all tests of this process. Its commits do not wait
     * for the disk.
     *
     * @throws MariaDbMissingException if MariaDB is not installed
     * @throws IOException if the server does not start; the message contains its log
     */
    public static synchronized String freshDatabase() throws IOException, MariaDbMissingException {
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
        process.getOutputStream().write("keep\n".getBytes(StandardCharsets.US_ASCII));
        end();
    }

    /** Starts a killed server again, on the same port and data. */
    public synchronized void restart() throws IOException {
        process = launch();
    }

    /** Ends the server and removes its data. */
    @Override
    public synchronized void close() throws IOException {
        end();
    }

    private void end() throws IOException {
        process.getOutputStream().close();
        await(process);
    }

    private Path data() {
        return home.resolve("data");
    }

    private Process launch() throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", UNTIL_END_OF_INPUT, "sh", home.toString()));
        command.addAll(List.of(server(), "--no-defaults", "--user=" + System.getProperty("user.name")));
        command.addAll(List.of("--datadir=" + data(), "--socket=" + home.resolve("socket"), "--port=" + port));
        command.addAll(List.of("--bind-address=127.0.0.1", "--skip-name-resolve", "--max-connections=200"));
        command.addAll(List.of("--innodb-buffer-pool-size=32M", "--innodb-log-file-size=16M"));
        command.addAll(List.of("--performance-schema=OFF", "--skip-log-bin"));
        command.add("--innodb-flush-log-at-trx-commit=" + (durable ? 1 : 0));
        Path log = home.resolve("log");
        Files.deleteIfExists(log);
        Process launched = program(command).redirectOutput(log.toFile()).start();
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!Files.readString(log).contains(READY)) {
            if (!launched.isAlive() || System.nanoTime() > deadline) {
                String text = Files.readString(log);
                launched.getOutputStream().close();
                throw new IOException("MariaDB did not start: " + text);
            }
            pause();
        }
        return launched;
    }

    private static String server() throws IOException {
        try {
            return find("mariadbd");
        } catch (MariaDbMissingException e) {
            throw new IOException(e);
        }
    }

    private static String find(String program) throws MariaDbMissingException {
        String path = System.getenv("PATH");
        return Stream.concat(
                        Stream.of((path == null ? "" : path).split(":", -1)), Stream.of("/usr/sbin", "/usr/local/sbin"))
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Path::toString)
                .orElseThrow(() ->
                        new MariaDbMissingException("no MariaDB server found: install one (Debian: mariadb-server)"));
    }

    /** Prepares a program of MariaDB. Its temporary files are its own: a starting server deletes what it finds there. */
    private ProcessBuilder program(List<String> command) {
        var program = new ProcessBuilder(command).redirectErrorStream(true);
        program.environment().put("TMPDIR", home.toString());
        return program;
    }

    private void install(String installer) throws IOException {
        List<String> command = List.of(
                installer,
                "--no-defaults",
                "--datadir=" + data(),
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--innodb-log-file-size=16M",
                "--user=" + System.getProperty("user.name"));
        Process installing = program(command).start();
        String output = new String(installing.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        await(installing);
        if (installing.exitValue() != 0) {
            throw new IOException(installer + " failed: " + output);
        }
    }

    private static void await(Process ending) throws IOException {
        try {
            if (!ending.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                ending.destroyForcibly();
                throw new IOException("the process did not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
