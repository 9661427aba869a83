// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.base.sql.TableVersion;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.server.auth.Sealer;
import dev.porchlight.server.auth.SecretRotation;
import dev.porchlight.server.auth.SessionSecret;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.DatabaseUrl;
import dev.porchlight.server.storage.DatabaseUrl.Engine;
import dev.porchlight.server.storage.ServerTables;
import dev.porchlight.server.telemetry.Readiness;
import dev.porchlight.server.token.KeyRing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether the database can be reached and written, has our tables, and holds a signing key that opens. */
final class DatabaseCheck {
    private final Config config;
    private final DatabaseUrl url;
    private final InstantSource clock;
    private final List<Finding> findings = new ArrayList<>();

    DatabaseCheck(Config config, InstantSource clock) {
        this.config = config;
        this.url = config.get(Settings.DATABASE_URL);
        this.clock = clock;
    }

    List<Finding> findings() {
        boolean sqlite = url.engine() == Engine.SQLITE;
        if (sqlite && !Files.exists(file())) {
            findings.add(
                    Files.isDirectory(parent()) || parent().equals(absolute(config.get(Settings.DATA_DIR)))
                            ? Finding.skipped("the database " + file() + " is made at the first start")
                            : Finding.wrong(
                                    "the database cannot be made: there is no directory " + parent(),
                                    "mkdir -p " + parent()));
            return findings;
        }
        try (Database database = Database.open(url, 1)) {
            examine(new Sql(database.dataSource()), sqlite);
        } catch (StorageException e) {
            findings.add(Finding.wrong(String.valueOf(e.getMessage()), "./porchlight restore BACKUP"));
        }
        return findings;
    }

    private void examine(Sql sql, boolean sqlite) {
        try {
            sql.query("SELECT 1", row -> row.getInt(1));
        } catch (StorageException e) {
            findings.add(
                    Finding.wrong(
                            "the database " + url + " cannot be reached: " + cause(e),
                            "export DATABASE_URL=postgres://USER:PASSWORD@HOST/NAME   # one that answers: psql \"$DATABASE_URL\""));
            return;
        }
        findings.add(Finding.fine("the database " + url + " can be reached"));
        if (!sqlite) {
            long now = sql.query("SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint", row -> row.getLong(1))
                    .get(0);
            findings.add(DirectoryCheck.clock("the database's", Instant.ofEpochMilli(now), clock.instant()));
        }
        if (tablesAreOurs(sql) && isWritable(sql)) {
            checkSigningKey(sql);
        }
    }

    private boolean tablesAreOurs(Sql sql) {
        TableVersion passkey = TableVersion.read(sql, "passkey");
        TableVersion server = TableVersion.read(sql, "server");
        if (passkey.version() < Migration.VERSION || server.version() < ServerTables.VERSION) {
            findings.add(Finding.skipped("the tables are made at the next start"));
            return false;
        }
        boolean suit = passkey.supports(Migration.VERSION) && server.supports(ServerTables.VERSION);
        findings.add(
                suit
                        ? Finding.fine("this release works with the tables")
                        : Finding.wrong(
                                "the tables were made by a newer release, and this one does not work with them",
                                "git checkout the release that made them"));
        return suit;
    }

    private boolean isWritable(Sql sql) {
        try {
            sql.update(Readiness.WRITE);
            findings.add(Finding.fine("the database takes writes"));
            return true;
        } catch (StorageException e) {
            findings.add(Finding.wrong(
                    "the database takes no writes: " + cause(e),
                    url.engine() == Engine.SQLITE
                            ? "chmod u+w " + file() + "   # and let no other program hold its lock"
                            : "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO CURRENT_USER;"));
            return false;
        }
    }

    private void checkSigningKey(Sql sql) {
        Path kept = config.get(Settings.DATA_DIR).resolve(SessionSecret.FILE);
        Optional<String> configured = config.get(Settings.SESSION_SECRET);
        if (configured.isEmpty() && !Files.exists(kept)) {
            findings.add(Finding.wrong(
                    "the database is in use, but its secret " + kept + " is gone: what is sealed opens with it only",
                    "cp BACKUP/" + SessionSecret.FILE + " " + kept));
            return;
        }
        try {
            String secret = configured.isPresent()
                    ? configured.get()
                    : Files.readString(kept).strip();
            SecretRotation secrets = new SecretRotation(secret, config.get(Settings.SESSION_SECRET_PREVIOUS));
            Sealer sealer = new Sealer(secrets.signingKeySeal(), new SecureRandom());
            var keys = new KeyRing(sql, sealer, clock, config.get(Settings.TOKEN_TTL_SECONDS));
            int count = keys.names().size();
            findings.add(Finding.fine(
                    count == 0
                            ? "there is no signing key yet; the first is made when the service is asked for it"
                            : "the signing keys open: " + count));
        } catch (IOException | StorageException | IllegalArgumentException e) {
            findings.add(Finding.wrong(
                    String.valueOf(e.getMessage()),
                    "export SESSION_SECRET=FORMER   # or, giving up all tokens: DELETE FROM porchlight_signing_key;"));
        }
    }

    private Path file() {
        return url.file().orElse(Path.of(":memory:"));
    }

    private Path parent() {
        Path parent = absolute(file()).getParent();
        return parent == null ? absolute(file()) : parent;
    }

    private static Path absolute(Path path) {
        return path.toAbsolutePath().normalize();
    }

    private static String cause(StorageException e) {
        Throwable deepest = e;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return String.valueOf(deepest.getMessage());
    }
}
