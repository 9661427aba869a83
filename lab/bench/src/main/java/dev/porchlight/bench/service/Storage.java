// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.CpuTime;
import dev.porchlight.testkit.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The applications' databases: SQLite files, or one PostgreSQL server whose commits wait for the disk. Thread-safe. */
final class Storage {
    private final @Nullable PostgresServer server;
    private final AtomicInteger databases = new AtomicInteger();

    private Storage(@Nullable PostgresServer server) {
        this.server = server;
    }

    static Storage sqlite() {
        return new Storage(null);
    }

    static Storage postgres(PostgresServer server) {
        return new Storage(server);
    }

    /**
     * The database of one application.
     *
     * @param jdbc the JDBC URL
     * @param plain the address for other languages: a URL or a file
     */
    record Address(boolean postgres, String jdbc, String plain) {}

    String label() {
        return server == null ? "SQLite" : "PostgreSQL";
    }

    /** Whether the database is a separate server. */
    boolean server() {
        return server != null;
    }

    /** CPU time of the server's processes so far; zero for an embedded database. */
    Duration cpu() throws IOException {
        return server == null ? Duration.ZERO : CpuTime.ofServer(server.processes());
    }

    /** Creates an empty database, in this directory if it is a file. */
    Address fresh(Path directory) throws IOException {
        if (server == null) {
            Path file = directory.resolve("database");
            return new Address(false, "jdbc:sqlite:" + file, file.toString());
        }
        String name = "bench" + databases.incrementAndGet();
        server.sql("create database " + name);
        String place = "127.0.0.1:" + server.port() + "/" + name;
        return new Address(true, "jdbc:postgresql://" + place + "?user=porchlight", "postgres://porchlight@" + place);
    }
}
