// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.postgres;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server that ends with the process that started it. Its data is temporary, so it runs without fsync.
 * Thread-safe.
 */
public final class PostgresServer implements AutoCloseable {
    /** The database user: a superuser without a password. */
    public static final String USER = "porchlight";

    private static @Nullable PostgresServer shared;
    private static int databases;

    private final PostgresInstallation installation;
    private final ServerProcess process;
    private final int port;

    private PostgresServer(PostgresInstallation installation, ServerProcess process, int port) {
        this.installation = installation;
        this.process = process;
        this.port = port;
    }

    /**
     * Starts a server.
     *
     * @throws PostgresMissingException if it is not installed
     * @throws IOException if it does not start; the message contains its output
     */
    public static PostgresServer start() throws IOException, PostgresMissingException {
        PostgresInstallation installation = PostgresInstallation.find();
        Path home = ServerProcess.directory(installation, "porchlight-postgres");
        String data = home.resolve("data").toString();
        installation.run("initdb", "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "-N");
        int port = ServerProcess.freePort();
        List<String> command = new ArrayList<>(
                List.of(installation.binary("postgres"), "-D", data, "-k", home.toString(), "-h", "127.0.0.1"));
        command.addAll(List.of("-p", Integer.toString(port), "-N", "200", "-F"));
        ServerProcess process = ServerProcess.start(installation, home, "INT", "ready to accept connections", command);
        return new PostgresServer(installation, process, port);
    }

    /**
     * Returns the JDBC URL of a new, empty database on a server that all tests of this process share.
     *
     * @throws PostgresMissingException if it is not installed
     * @throws IOException if it does not start; the message contains its output
     */
    public static synchronized String freshDatabase() throws IOException, PostgresMissingException {
        if (shared == null) {
            shared = start();
        }
        String name = "test" + ++databases;
        shared.createDatabase(name);
        return shared.jdbcUrl(name);
    }

    /** Returns the JDBC URL of a database on this server. */
    public String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=" + USER;
    }

    /** The port on 127.0.0.1. */
    public int port() {
        return port;
    }

    /** Creates an empty database. */
    public void createDatabase(String name) throws IOException {
        installation.run("createdb", "-h", "127.0.0.1", "-p", Integer.toString(port), "-U", USER, name);
    }

    /** Stops the server and removes its data. */
    @Override
    public void close() throws IOException {
        process.close();
    }
}
