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
 * Which database, as {@code DATABASE_URL} names it: {@code jdbc:sqlite:FILE}, {@code jdbc:postgresql://…} or
 * {@code postgres://user:password@host/name}.
 *
 * @param jdbc what the driver is given, without credentials
 * @param engine which database it is
 */
public record DatabaseUrl(
        String jdbc,
        Engine engine,
        @Nullable String user,
        @Nullable String password) {
    private static final String SQLITE = "jdbc:sqlite:";
    private static final String POSTGRES = "jdbc:postgresql:";

    /** The databases Porchlight runs on. */
    public enum Engine {
        SQLITE,
        POSTGRESQL;

        /** The name in OpenTelemetry's conventions, such as {@code postgresql}. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static DatabaseUrl sqliteIn(Path directory) {
        return new DatabaseUrl(SQLITE + directory.resolve("porchlight.db"), Engine.SQLITE, null, null);
    }

    /** Reads a URL; an {@link IllegalArgumentException} says what would be right, without repeating a password. */
    public static DatabaseUrl parse(String url) {
        if (url.startsWith(SQLITE) && url.length() > SQLITE.length()) {
            return new DatabaseUrl(url, Engine.SQLITE, null, null);
        }
        if (url.startsWith(POSTGRES)) {
            if (url.replaceFirst("\\?.*", "").contains("@")) { // the driver would take it for a host, and repeat it
                throw new IllegalArgumentException(
                        "has a user or password where jdbc: takes none:"
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

    /** One connection, without a pool, to a database that may be somebody else's. */
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
            credentials.setProperty("prepareThreshold", "0"); // poolers carry no prepared statements
        }
        return DriverManager.getConnection(jdbc, credentials);
    }

    /** The file of the embedded database; none for PostgreSQL, nor for SQLite in memory. */
    public Optional<Path> file() {
        if (engine != Engine.SQLITE) {
            return Optional.empty();
        }
        String name = jdbc.substring(SQLITE.length()).replaceFirst("^file:", "").replaceFirst("\\?.*", "");
        return name.isEmpty() || name.startsWith(":") ? Optional.empty() : Optional.of(Path.of(name));
    }

    /** Tells one database from another in the same data directory: the file's name, or host and name. */
    public String identity() {
        return file().map(path -> String.valueOf(path.getFileName())).orElseGet(() -> jdbc.replaceFirst("\\?.*", ""));
    }

    /** Tells one database from all others: the file's whole path, or host and name. */
    public String place() {
        return file().map(path -> path.toAbsolutePath().normalize().toString())
                .orElseGet(() -> jdbc.replaceFirst("\\?.*", ""));
    }

    /** Several hosts, parted by commas, are passed on to the driver, which finds the one that takes writes. */
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
                throw new IllegalArgumentException("names no host or no database: postgres://USER:PASSWORD@HOST/NAME");
            }
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("is not a URL: postgres://USER:PASSWORD@HOST/NAME");
        }
        return new DatabaseUrl(
                POSTGRES + "//" + rest,
                Engine.POSTGRESQL,
                credentials.isEmpty() ? null : decode(colon < 0 ? credentials : credentials.substring(0, colon)),
                colon < 0 ? null : decode(credentials.substring(colon + 1)));
    }

    static String decode(String part) {
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) { // its message quotes what may be part of a password
            throw new IllegalArgumentException("has a % in its user or password that must be written %25");
        }
    }

    /** Without the password, which must not reach a log. */
    @Override
    public String toString() {
        return jdbc.replaceAll("(?i)(password=)[^&]*", "$1[redacted]").replaceFirst("//[^?]*@", "//[redacted]@");
    }
}
