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
 * Loads SQLite's native library without leaving a file behind. The driver unpacks it into a temporary directory and deletes it
 * when the JVM exits normally, which this service does not do when it is killed or stopped by a signal.
 */
final class SqliteLibrary {
    /** The directory for unpacking. An operator may set it, for example if the default does not allow executables. */
    private static final String DIRECTORY = "org.sqlite.tmpdir";

    private static boolean loaded;

    private SqliteLibrary() {}

    static synchronized void load() {
        if (loaded || System.getProperty(DIRECTORY) != null) {
            return;
        }
        try {
            Path directory = Files.createTempDirectory("porchlight-sqlite");
            System.setProperty(DIRECTORY, directory.toString());
            try {
                DriverManager.getConnection(DatabaseUrl.IN_MEMORY).close();
                loaded = true;
            } catch (SQLException reported) {
                // the connection to the real database will report it
            } finally {
                System.clearProperty(DIRECTORY);
                remove(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a temporary directory", e);
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
