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
 * Loads SQLite's native library and leaves nothing behind. The driver unpacks it into a directory for temporary files and
 * removes it when the JVM exits, which ours does not if it is killed, or stops at a signal.
 */
final class SqliteLibrary {
    /** Where the driver unpacks to. Who sets it has a reason, such as a file system from which nothing may be run. */
    private static final String PLACE = "org.sqlite.tmpdir";

    private static boolean loaded;

    private SqliteLibrary() {}

    static synchronized void load() {
        if (loaded || System.getProperty(PLACE) != null) {
            return;
        }
        try {
            Path directory = Files.createTempDirectory("porchlight-sqlite");
            System.setProperty(PLACE, directory.toString());
            try {
                DriverManager.getConnection("jdbc:sqlite::memory:").close();
                loaded = true;
            } catch (SQLException told) {
                // by whoever connects to the real database
            } finally {
                System.clearProperty(PLACE);
                remove(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("there is no room for temporary files", e);
        }
    }

    /** What is loaded stays loaded without its file, except on Windows, where the driver tries again at the exit. */
    private static void remove(Path directory) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.delete(file);
            }
            Files.delete(directory);
        } catch (IOException inUse) {
            // then it is one more temporary file
        }
    }
}
