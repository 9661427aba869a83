// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Directories for the databases of tests, in memory where the system offers that, since every commit waits for the disk.
 * Removed at the end of the process. Thread-safe.
 */
public final class FastDirectory {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ROOM = 1L << 30;
    private static final Path PARENT = parent();

    private FastDirectory() {}

    /** A new, empty directory. */
    public static Path fresh() {
        try {
            return Files.createTempDirectory(PARENT, "test");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path parent() {
        try {
            boolean memory =
                    Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= ROOM;
            if (!memory) {
                return Files.createDirectories(Path.of("target", "databases")).toAbsolutePath();
            }
            Path parent = Files.createTempDirectory(MEMORY, "porchlight");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(parent)));
            return parent;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void remove(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException leftBehind) {
            // The process ends and can report it to no one; the next restart of the machine clears the memory.
        }
    }
}
