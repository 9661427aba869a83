// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.server.storage.OwnerOnly;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/** The secret that a local service makes for itself and keeps in its data directory, readable by its owner only. */
public final class SessionSecret {
    /** The file's name in the data directory. */
    public static final String FILE = "session-secret";

    private SessionSecret() {}

    /** The configured secret, or else the one in this directory. */
    public static String of(Optional<String> configured, Path directory, SecureRandom random) throws IOException {
        return configured.isPresent() ? configured.get() : in(directory, random);
    }

    /** The secret kept in this directory, made first if there is none; of two that start at once, both use the first's. */
    public static String in(Path directory, SecureRandom random) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            byte[] secret = new byte[32];
            random.nextBytes(secret);
            write(directory, file, HexFormat.of().formatHex(secret));
        }
        OwnerOnly.restrict(file);
        return Files.readString(file).strip();
    }

    /** Written aside and linked into place, so that nobody ever reads half of it. */
    private static void write(Path directory, Path file, String secret) throws IOException {
        Path aside = Files.createTempFile(directory, FILE, ".new");
        try {
            if (Files.getFileStore(aside).supportsFileAttributeView("posix")) {
                Files.setPosixFilePermissions(aside, PosixFilePermissions.fromString("rw-------"));
            }
            Files.writeString(aside, secret + '\n', StandardOpenOption.SYNC);
            Files.createLink(file, aside);
        } catch (FileAlreadyExistsException somebodyElseWasFirst) {
            // his secret counts
        } finally {
            Files.delete(aside);
        }
    }
}
