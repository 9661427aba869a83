// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The directory of the embedded database and the generated secret. */
public final class DataDirectory {
    private DataDirectory() {}

    /** Makes the directory, for its owner alone, if it is not there. One that is there stays as it is: doctor judges it. */
    public static void make(Path directory) throws IOException {
        if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectories(directory);
        }
    }

    /** The path itself, or the nearest of its parents that exists. */
    public static Path nearestExisting(Path path) {
        Path existing = path.toAbsolutePath().normalize();
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        return existing;
    }
}
