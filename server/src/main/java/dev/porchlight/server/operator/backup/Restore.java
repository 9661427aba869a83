// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.auth.SessionSecret;
import dev.porchlight.server.operator.backup.Backup.Manifest;
import dev.porchlight.server.operator.backup.Backup.TempDirectory;
import dev.porchlight.server.storage.ChallengeEpoch;
import dev.porchlight.server.storage.DataDirectory;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.DatabaseUrl;
import dev.porchlight.server.storage.NewFile;
import dev.porchlight.server.storage.OwnerOnly;
import dev.porchlight.server.storage.SealedEntry;
import dev.porchlight.server.storage.ServerTables;
import dev.porchlight.server.storage.SqlSealedEntries;
import dev.porchlight.server.storage.SqliteFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the embedded database with a backup.
 *
 * <p>The copy is unpacked, verified and migrated before existing files are touched. Existing files are renamed, and there is a
 * database at every moment.
 */
public final class Restore {
    private final Path database;
    private final Path secret;
    private final String asideSuffix;

    /**
     * A restore to these files.
     *
     * @param asideSuffix the suffix of replaced files
     */
    public Restore(Path database, Path dataDir, String asideSuffix) {
        this.database = database.toAbsolutePath();
        this.secret = dataDir.resolve(SessionSecret.FILE).toAbsolutePath();
        this.asideSuffix = asideSuffix;
    }

    /** The restored backup, and its secret, if it has one. */
    public record Restored(Manifest manifest, Optional<String> secret) {
        /** Whether this secret opens the restored data. */
        public boolean opensWith(String sessionSecret) {
            return manifest.secretMark().equals(Manifest.markOf(sessionSecret));
        }
    }

    /** Restores a backup. Existing data is renamed if {@code replace} is set; otherwise the restore is refused. */
    public Restored run(Path backup, boolean replace) throws IOException {
        if (!Files.exists(backup)) {
            throw new IOException("the backup " + backup + " does not exist");
        }
        DataDirectory.create(NewFile.directoryOf(secret));
        DataDirectory.create(NewFile.directoryOf(database));
        try (ZipFile zip = new ZipFile(backup.toFile())) {
            Manifest manifest = Manifest.parse(text(zip, Manifest.ENTRY));
            Optional<String> secretInBackup = zip.getEntry(Backup.SECRET_ENTRY) == null
                    ? Optional.empty()
                    : Optional.of(text(zip, Backup.SECRET_ENTRY).strip());
            refuseToReplace(replace, secretInBackup.orElse(null));
            SqliteFile.Lock lock = keepOthersOut();
            try {
                put(zip, manifest, secretInBackup.orElse(null));
            } finally {
                lock.close();
            }
            return new Restored(manifest, secretInBackup);
        }
    }

    private void refuseToReplace(boolean replace, @Nullable String newSecret) throws IOException {
        boolean otherSecret = newSecret != null
                && Files.exists(secret)
                && !Files.readString(secret).strip().equals(newSecret);
        if (!replace && (Files.exists(database) || otherSecret)) {
            throw new IOException((otherSecret ? secret : database)
                    + " exists already. Use --replace to rename it and restore anyway");
        }
    }

    private SqliteFile.Lock keepOthersOut() throws IOException {
        if (!Files.exists(database)) {
            return () -> {};
        }
        return new SqliteFile(database)
                .lock()
                .orElseThrow(
                        () -> new IOException("the database is in use. Stop the service and any other program that has "
                                + database + " open"));
    }

    private void put(ZipFile zip, Manifest manifest, @Nullable String newSecret) throws IOException {
        try (TempDirectory scratch = TempDirectory.beside(database);
                TempDirectory secretScratch = TempDirectory.beside(secret)) {
            Path copy = scratch.file(Backup.DATABASE_ENTRY);
            try (InputStream in = open(zip, Backup.DATABASE_ENTRY)) {
                write(in, copy);
            }
            verify(copy, manifest);
            if (newSecret != null) {
                Path secretCopy = secretScratch.file(Backup.SECRET_ENTRY);
                write(new ByteArrayInputStream((newSecret + '\n').getBytes(UTF_8)), secretCopy);
                swap(secretCopy, secret);
            }
            for (String companion : SqliteFile.COMPANIONS) {
                Path left = Path.of(database + companion);
                if (Files.exists(left)) {
                    Files.move(left, Path.of(database + asideSuffix + companion));
                }
            }
            swap(copy, database);
        }
    }

    private static void write(InputStream in, Path file) throws IOException {
        try (NewFile written = NewFile.named(file)) {
            in.transferTo(written.out());
            written.keep();
        }
    }

    private static void verify(Path copy, Manifest manifest) throws IOException {
        SqliteFile copied = new SqliteFile(copy);
        copied.check();
        if (copied.count(SqlCredentialStore.TABLE) != manifest.passkeys()
                || copied.count(SqlUsers.TABLE) != manifest.users()) {
            throw new IOException("the backup is damaged: its content does not match its manifest");
        }
        try (Database opened = Database.open(DatabaseUrl.sqlite(copy), 1)) {
            ServerTables.migrate(opened.dataSource());
            // Enrollments may have been used since the backup.
            SqlSealedEntries.removeAll(opened.sql(), SealedEntry.ENROLLMENT);
            SqlSealedEntries.removeAll(opened.sql(), SealedEntry.ENROLLMENT_PART);
            ChallengeEpoch.begin(opened.sql(), Instant.now());
        }
        NewFile.sync(copy);
    }

    /** Links the old file to its new name before it is replaced. */
    private void swap(Path fresh, Path place) throws IOException {
        if (Files.exists(place)) {
            Path aside = Path.of(place + asideSuffix);
            try {
                Files.createLink(aside, place);
            } catch (FileAlreadyExistsException e) {
                throw e;
            } catch (UnsupportedOperationException | FileSystemException noLinks) {
                Files.copy(place, aside);
                NewFile.sync(aside);
            }
            OwnerOnly.restrict(aside);
        }
        Files.move(fresh, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        NewFile.sync(NewFile.directoryOf(place));
    }

    private static String text(ZipFile zip, String name) throws IOException {
        try (InputStream in = open(zip, name)) {
            byte[] bytes = in.readNBytes(Manifest.MAX_BYTES);
            if (in.read() >= 0) {
                throw new IOException(name + " in the backup is too long");
            }
            return new String(bytes, UTF_8);
        }
    }

    private static InputStream open(ZipFile zip, String name) throws IOException {
        ZipEntry entry = zip.getEntry(name);
        if (entry == null) {
            throw new IOException("this is not a backup: " + name + " is missing");
        }
        return zip.getInputStream(entry);
    }
}
