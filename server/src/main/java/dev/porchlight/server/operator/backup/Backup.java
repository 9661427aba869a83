// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.auth.SessionSecret;
import dev.porchlight.server.storage.NewFile;
import dev.porchlight.server.storage.SqliteFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Backs up the embedded database, also while the service runs, and the secret that opens it. */
public final class Backup {
    static final String DATABASE_ENTRY = "porchlight.db";
    static final String SECRET_ENTRY = SessionSecret.FILE;

    private Backup() {}

    /**
     * Writes a verified backup to a new file.
     *
     * @param secret the current secret
     * @param secretIsGenerated whether the service generated the secret, which is then included; a configured one is not
     */
    public static Manifest write(Path database, String secret, boolean secretIsGenerated, Path file, Instant now)
            throws IOException {
        try (NewFile backup = NewFile.named(file);
                TempDirectory scratch = TempDirectory.beside(file)) {
            Path copy = scratch.file(DATABASE_ENTRY);
            new SqliteFile(database).copyTo(copy);
            Manifest manifest = verified(copy, secret, now);
            try (ZipOutputStream zip = new ZipOutputStream(new BufferedOutputStream(backup.out()))) {
                put(zip, Manifest.ENTRY, manifest.toJson());
                if (secretIsGenerated) {
                    put(zip, SECRET_ENTRY, secret + '\n');
                }
                zip.putNextEntry(new ZipEntry(DATABASE_ENTRY));
                Files.copy(copy, zip);
                zip.finish();
                zip.flush();
                backup.keep();
            }
            return manifest;
        }
    }

    private static Manifest verified(Path copy, String secret, Instant now) {
        SqliteFile copied = new SqliteFile(copy);
        copied.check();
        return new Manifest(
                now, copied.count(SqlUsers.TABLE), copied.count(SqlCredentialStore.TABLE), Manifest.markOf(secret));
    }

    private static void put(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(UTF_8));
    }
}
