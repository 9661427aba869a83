// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.auth.DerivedKeys;
import dev.porchlight.server.auth.SessionSecret;
import dev.porchlight.server.storage.NewFile;
import dev.porchlight.server.storage.SqliteFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
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

    /**
     * The manifest of a backup.
     *
     * @param users the number of users
     * @param passkeys the number of passkeys
     * @param secretMark identifies the secret without revealing it
     */
    public record Manifest(Instant createdAt, long users, long passkeys, String secretMark) {
        static final String ENTRY = "backup.json";
        static final int MAX_BYTES = 4_096;

        private static final String FORMAT = "porchlight-backup";
        private static final long VERSION = 1;

        static String markOf(String secret) {
            return Bytes.copyOf(new DerivedKeys(secret).forPurpose("mark of a backup"))
                    .slice(0, 12)
                    .base64Url();
        }

        String toJson() {
            return JsonWriter.object(json -> json.text("format", FORMAT)
                    .number("version", VERSION)
                    .text("createdAt", createdAt.toString())
                    .number("users", users)
                    .number("passkeys", passkeys)
                    .text("secretMark", secretMark));
        }

        static Manifest parse(String json) throws IOException {
            try {
                JsonObject object = JsonObject.parse(json, "");
                if (!object.text("format").equals(FORMAT)
                        || !Long.valueOf(VERSION).equals(object.optionalInteger("version"))) {
                    throw new IOException("this release cannot read the backup");
                }
                return new Manifest(
                        Instant.parse(object.text("createdAt")),
                        object.integer("users"),
                        object.integer("passkeys"),
                        object.text("secretMark"));
            } catch (MalformedException | DateTimeException e) {
                throw new IOException("the manifest of the backup is invalid", e);
            }
        }
    }

    /** A private temporary directory beside a file, deleted with its content on close. */
    record TempDirectory(Path directory) implements AutoCloseable {
        static TempDirectory beside(Path file) throws IOException {
            return new TempDirectory(Files.createTempDirectory(NewFile.directoryOf(file), ".porchlight-"));
        }

        Path file(String name) {
            return directory.resolve(name);
        }

        @Override
        public void close() throws IOException {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
                for (Path file : files) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
    }
}
