// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A database as named by {@code DATABASE_URL}: {@code jdbc:sqlite:FILE}, {@code jdbc:postgresql://…} or
 * {@code postgres://user:password@host/name}.
 *
 * @param jdbc the URL for the driver, without credentials
 * @param engine the database engine
 */
public record DatabaseUrl(
        String jdbc,
        Engine engine,
        @Nullable String user,
        @Nullable String password) {
    private static final String SQLITE = "jdbc:sqlite:";
    static final String IN_MEMORY = SQLITE + ":memory:";
    private static final String POSTGRES = "jdbc:postgresql:";

    public enum Engine {
        SQLITE,
        POSTGRESQL;

        /** The name in OpenTelemetry's semantic conventions, such as {@code postgresql}. */
        public String otelName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static DatabaseUrl sqliteIn(Path directory) {
        return sqlite(directory.resolve("porchlight.db"));
    }

    public static DatabaseUrl sqlite(Path file) {
        return new DatabaseUrl(SQLITE + file, Engine.SQLITE, null, null);
    }

    /** Parses a URL; an {@link IllegalArgumentException} describes accepted URLs without repeating a password. */
    public static DatabaseUrl parse(String url) {
        if (url.startsWith(SQLITE) && url.length() > SQLITE.length()) {
            return new DatabaseUrl(url, Engine.SQLITE, null, null);
        }
        if (url.startsWith(POSTGRES)) {
            if (url.replaceFirst("\\?.*", "").contains("@")) { // the driver would use it as the host, and log it
                throw new IllegalArgumentException(
                        "has a user or password before the host, which jdbc: URLs do not support; use"
                                + " postgres://USER:PASSWORD@HOST/NAME or jdbc:postgresql://HOST/NAME?user=USER&password=PASSWORD");
            }
            return new DatabaseUrl(url, Engine.POSTGRESQL, null, null);
        }
        if (url.startsWith("postgres://") || url.startsWith("postgresql://")) {
            return fromUri(url);
        }
        throw new IllegalArgumentException(
                "must be jdbc:sqlite:FILE, jdbc:postgresql://HOST/NAME or postgres://USER:PASSWORD@HOST/NAME");
    }

    /** Opens a connection without a pool, to a database that may belong to another application. */
    public Connection connect() throws SQLException {
        Properties credentials = new Properties();
        if (user != null) {
            credentials.setProperty("user", user);
        }
        if (password != null) {
            credentials.setProperty("password", password);
        }
        if (engine == Engine.SQLITE) {
            SqliteLibrary.load();
        }
        if (engine == Engine.POSTGRESQL) {
            credentials.setProperty("prepareThreshold", "0"); // poolers do not support prepared statements
        }
        return DriverManager.getConnection(jdbc, credentials);
    }

    /** The file of the embedded database; empty for PostgreSQL and for SQLite in memory. */
    public Optional<Path> file() {
        if (engine != Engine.SQLITE) {
            return Optional.empty();
        }
        String name = jdbc.substring(SQLITE.length()).replaceFirst("^file:", "").replaceFirst("\\?.*", "");
        return name.isEmpty() || name.startsWith(":") ? Optional.empty() : Optional.of(Path.of(name));
    }

    /** Identifies a database within a data directory: the file's name, or host and database name. */
    public String identity() {
        return file().map(path -> String.valueOf(path.getFileName())).orElseGet(() -> jdbc.replaceFirst("\\?.*", ""));
    }

    /** Passes several comma-separated hosts to the driver, which finds the primary. */
    private static DatabaseUrl fromUri(String url) {
        int at = url.lastIndexOf('@');
        String credentials = at < 0 ? "" : url.substring(url.indexOf("//") + 2, at);
        String rest = at < 0 ? url.substring(url.indexOf("//") + 2) : url.substring(at + 1);
        int colon = credentials.indexOf(':');
        try {
            URI shape = new URI("postgres://" + rest.replaceFirst(",[^/]*", ""));
            if (shape.getHost() == null
                    || shape.getPath() == null
                    || shape.getPath().length() < 2) {
                throw new IllegalArgumentException(
                        "has no host or no database name: use postgres://USER:PASSWORD@HOST/NAME");
            }
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("is not a URL: use postgres://USER:PASSWORD@HOST/NAME");
        }
        return new DatabaseUrl(
                POSTGRES + "//" + rest,
                Engine.POSTGRESQL,
                credentials.isEmpty() ? null : decode(colon < 0 ? credentials : credentials.substring(0, colon)),
                colon < 0 ? null : decode(credentials.substring(colon + 1)));
    }

    public static String decode(String part) {
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) { // its message may quote a part of the password
            throw new IllegalArgumentException("has a % in its user or password that must be written %25");
        }
    }

    /** Without the password, which must not be logged. */
    @Override
    public String toString() {
        return maskCredentials(jdbc);
    }

    /** Replaces the password in a URL of any scheme by asterisks. */
    public static String maskCredentials(String url) {
        return url.replaceAll("(?i)(password=)[^&]*", "$1********")
                .replaceFirst("(?s)(://(?:[^:/@]*:)?).*@", "$1********@");
    }
}
