// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A PgBouncer in transaction pooling mode that ends with the process that started it. It has few connections to PostgreSQL,
 * so that a client gets a different one for each transaction. Thread-safe.
 */
public final class PgBouncerServer implements AutoCloseable {
    private static final String DEBIAN = "/usr/sbin/pgbouncer";

    private static @Nullable PgBouncerServer shared;

    private final ServerProcess process;
    private final int port;

    private PgBouncerServer(ServerProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts PgBouncer for a PostgreSQL on this machine with the user {@link PostgresServer#USER}.
     *
     * @param settings further lines for its section {@code [pgbouncer]}
     * @throws MissingProgramException if it is not installed
     * @throws IOException if it does not start; the message contains its output
     */
    public static PgBouncerServer start(int postgresPort, String... settings)
            throws IOException, MissingProgramException {
        if (!Files.isExecutable(Path.of(DEBIAN))) {
            throw new MissingProgramException("no PgBouncer found: install it (Debian: pgbouncer)");
        }
        PostgresInstallation installation = PostgresInstallation.find();
        Path home = installation.directory("porchlight-pgbouncer");
        int port = Ports.free();
        Path users = Files.writeString(home.resolve("users.txt"), "\"" + PostgresServer.USER + "\" \"\"\n");
        List<String> lines = new ArrayList<>(List.of(
                "[databases]",
                "* = host=127.0.0.1 port=" + postgresPort,
                "[pgbouncer]",
                "listen_addr = 127.0.0.1",
                "listen_port = " + port,
                "unix_socket_dir =",
                "auth_type = trust",
                "auth_file = " + users,
                "pool_mode = transaction",
                "default_pool_size = 4",
                "max_client_conn = 500",
                "server_login_retry = 1"));
        lines.addAll(List.of(settings));
        Path configuration = Files.write(home.resolve("pgbouncer.ini"), lines);
        installation.giveToServerUser(configuration);
        installation.giveToServerUser(users);
        List<String> command = List.of(DEBIAN, configuration.toString());
        return new PgBouncerServer(
                new ServerProcess(installation.asServerUser(), home, "TERM", "process up", command), port);
    }

    /**
     * Returns the JDBC URL of a new, empty database on a server that all tests of this process share, through PgBouncer.
     *
     * @throws MissingProgramException if one of the two is not installed
     * @throws IOException if one of them does not start; the message contains its output
     */
    public static synchronized String freshDatabase() throws IOException, MissingProgramException {
        URI direct = URI.create(PostgresServer.freshDatabase().substring("jdbc:".length()));
        if (shared == null) {
            shared = start(direct.getPort());
        }
        return shared.jdbcUrl(direct.getPath().substring(1));
    }

    /** Returns the JDBC URL of a database through PgBouncer. */
    public String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=" + PostgresServer.USER;
    }

    /** The port on 127.0.0.1. */
    public int port() {
        return port;
    }

    @Override
    public void close() throws IOException {
        process.end(false);
    }
}
