// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/** Owner-only file permissions, on file systems that support them. */
public final class OwnerOnly {
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<Set<PosixFilePermission>> NEW_FILE = PosixFilePermissions.asFileAttribute(FILE);

    private OwnerOnly() {}

    /**
     * Creates the file of an SQLite database if it does not exist, and otherwise removes other users' permissions. SQLite creates
     * its companion files with the same permissions.
     */
    static void prepare(Path database) {
        if (!isPosix(database)) {
            return;
        }
        try {
            Files.createFile(database, NEW_FILE);
        } catch (FileAlreadyExistsException e) {
            restrict(database);
            SqliteFile.COMPANIONS.forEach(companion -> restrict(Path.of(database + companion)));
        } catch (IOException e) {
            // opening the file will fail and report it
        }
    }

    /** Removes other users' permissions. A file of another user is not changed. */
    public static void restrict(Path file) {
        try {
            if (isPosix(file) && isOpen(file)) {
                Files.setPosixFilePermissions(file, FILE);
            }
        } catch (IOException e) {
            // it does not exist, or doctor reports it
        }
    }

    public static Optional<String> advice(Path directory) {
        try {
            return isPosix(directory) && isOpen(directory)
                    ? Optional.of("other users of this machine can read " + directory
                            + ", which contains secrets: run chmod 700 " + directory)
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static boolean isOpen(Path path) throws IOException {
        return !PosixFilePermissions.toString(Files.getPosixFilePermissions(path))
                .endsWith("------");
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
