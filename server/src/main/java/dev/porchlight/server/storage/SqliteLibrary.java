// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * Loads SQLite's native library without leaving a file behind. Unless it was unpacked before, the driver unpacks it into a
 * temporary directory and deletes it when the JVM exits normally, which this service does not do when it is killed or stopped by
 * a signal.
 */
public final class SqliteLibrary {
    /** The directory for unpacking. An operator may set it, for example if the default does not allow executables. */
    private static final String DIRECTORY = "org.sqlite.tmpdir";

    /** The directory of the unpacked library, if there is one. */
    private static final String UNPACKED = "org.sqlite.lib.path";

    private static final String PREFIX = "porchlight-sqlite";
    private static final String FILE = System.mapLibraryName("sqlitejdbc");

    private static boolean loaded;

    private SqliteLibrary() {}

    /** Loads the library and copies it into a directory, which later starts set as {@code org.sqlite.lib.path}. */
    public static synchronized void unpack(Path target) throws IOException {
        Path directory = Files.createTempDirectory(PREFIX);
        load(directory);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + FILE)) {
            for (Path file : files) {
                Files.copy(file, target.resolve(FILE));
            }
        } finally {
            remove(directory);
        }
    }

    static synchronized void load() {
        if (loaded || System.getProperty(DIRECTORY) != null || unpackedLibraryLoads()) {
            return;
        }
        try {
            Path directory = Files.createTempDirectory(PREFIX);
            load(directory);
            remove(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a temporary directory", e);
        }
    }

    private static void load(Path directory) {
        System.setProperty(DIRECTORY, directory.toString());
        try {
            DriverManager.getConnection(DatabaseUrl.IN_MEMORY).close();
            loaded = true;
        } catch (SQLException reported) {
            // the connection to the real database will report it
        } finally {
            System.clearProperty(DIRECTORY);
        }
    }

    /** Whether the driver will load a library that was unpacked before. If it does not load, lets the driver unpack it. */
    private static boolean unpackedLibraryLoads() {
        String unpacked = System.getProperty(UNPACKED);
        if (unpacked == null) {
            return false;
        }
        try {
            System.load(Path.of(unpacked, FILE).toString());
            return true;
        } catch (UnsatisfiedLinkError e) {
            System.clearProperty(UNPACKED); // or else the driver logs an error
            return false;
        }
    }

    /** Deletes the unpacked file, which is no longer needed. On Windows this fails, and the driver retries at exit. */
    private static void remove(Path directory) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.delete(file);
            }
            Files.delete(directory);
        } catch (IOException inUse) {
            // a temporary file remains
        }
    }
}
