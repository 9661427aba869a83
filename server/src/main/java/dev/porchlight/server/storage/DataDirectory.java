// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The directory for the embedded database and the generated secret. */
public final class DataDirectory {
    private DataDirectory() {}

    /** Creates the directory, accessible by its owner only. An existing directory is not changed; doctor checks it. */
    public static void create(Path directory) throws IOException {
        if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectories(directory);
        }
    }

    /** Returns the path or its nearest existing parent. */
    public static Path nearestExisting(Path path) {
        Path existing = path.toAbsolutePath().normalize();
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        return existing;
    }
}
