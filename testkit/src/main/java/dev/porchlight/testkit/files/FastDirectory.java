// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Directories for test databases, in memory if possible, because commits to a disk are slow. Removed at the end of the
 * process. Thread-safe.
 */
public final class FastDirectory {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long MIN_FREE_BYTES = 1L << 30;
    private static final Path PARENT = parent();

    private FastDirectory() {}

    /** Creates an empty directory. */
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
                    Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= MIN_FREE_BYTES;
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
            // The process is ending, and a reboot clears the memory.
        }
    }
}
