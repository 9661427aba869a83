// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.Bytes;
import dev.porchlight.server.storage.NewFile;
import dev.porchlight.server.storage.OwnerOnly;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;

/** The secret that a local service generates into its data directory, readable by its owner only. */
public final class SessionSecret {
    /** The file's name in the data directory. */
    public static final String FILE = "session-secret";

    private SessionSecret() {}

    /**
     * Returns the configured secret, or else the one in this directory, generated if missing. Two instances that start at once
     * use the same one.
     */
    public static String of(Optional<String> configured, Path directory, SecureRandom random) throws IOException {
        if (configured.isPresent()) {
            return configured.get();
        }
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            write(file, Bytes.random(random, 32).hex() + '\n');
        }
        OwnerOnly.restrict(file);
        return Files.readString(file).strip();
    }

    private static void write(Path file, String secret) throws IOException {
        try (NewFile written = NewFile.named(file)) {
            written.out().write(secret.getBytes(StandardCharsets.UTF_8));
            written.keep();
        } catch (FileAlreadyExistsException e) {
            // another instance created it first
        }
    }
}
