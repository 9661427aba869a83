// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.base.sql.TableVersion;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.server.auth.DerivedKeys;
import dev.porchlight.server.auth.Sealer;
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
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks that the database is reachable and writable, has compatible tables, and that its signing keys open. */
final class DatabaseCheck {
    private final Config config;
    private final DatabaseUrl url;
    private final InstantSource clock;
    private final @Nullable URI publicUrl;
    private final Duration timeout;
    private final List<Diagnosis> results = new ArrayList<>();

    /** @param publicUrl where clients reach the service, or null for its origin */
    DatabaseCheck(Config config, InstantSource clock, @Nullable URI publicUrl, Duration timeout) {
        this.config = config;
        this.url = config.get(Settings.DATABASE_URL);
        this.clock = clock;
        this.publicUrl = publicUrl;
        this.timeout = timeout;
    }

    List<Diagnosis> run() {
        boolean sqlite = url.engine() == Engine.SQLITE;
        if (sqlite && !Files.exists(file())) {
            results.add(
                    Files.isDirectory(parent()) || parent().equals(absolute(config.get(Settings.DATA_DIR)))
                            ? Diagnosis.skipped("the database " + file() + " is created at the first start")
                            : Diagnosis.problem(
                                    "the database cannot be created: the directory " + parent() + " does not exist",
                                    "mkdir -p " + parent()));
            return results;
        }
        try (Database database = Database.open(url, 1)) {
            examine(new Sql(database.dataSource()), sqlite);
        } catch (StorageException e) {
            results.add(Diagnosis.problem(String.valueOf(e.getMessage()), "./porchlight restore BACKUP"));
        }
        return results;
    }

    private void examine(Sql sql, boolean sqlite) {
        try {
            sql.query("SELECT 1", row -> row.getInt(1));
        } catch (StorageException e) {
            results.add(Diagnosis.problem(
                    "the database " + url + " cannot be reached: " + cause(e),
                    "export DATABASE_URL=postgres://USER:PASSWORD@HOST/NAME   # test it with: psql \"$DATABASE_URL\""));
            return;
        }
        results.add(Diagnosis.ok("the database " + url + " is reachable"));
        if (!sqlite) {
            long now = sql.query("SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint", row -> row.getLong(1))
                    .get(0);
            results.add(DirectoryCheck.clock("the database's", Instant.ofEpochMilli(now), clock.instant()));
        }
        if (tablesAreCompatible(sql) && isWritable(sql)) {
            checkSigningKey(sql);
            results.addAll(new ClientCheck(config, sql, clock, publicUrl, timeout).run());
        }
    }

    private boolean tablesAreCompatible(Sql sql) {
        TableVersion passkey = TableVersion.read(sql, "passkey");
        TableVersion server = TableVersion.read(sql, "server");
        if (passkey.version() < Migration.VERSION || server.version() < ServerTables.VERSION) {
            results.add(Diagnosis.skipped("the tables are created at the next start"));
            return false;
        }
        boolean compatible = passkey.supports(Migration.VERSION) && server.supports(ServerTables.VERSION);
        results.add(
                compatible
                        ? Diagnosis.ok("the tables are compatible with this release")
                        : Diagnosis.problem(
                                "a newer release created the tables, and they are incompatible with this one",
                                "git checkout RELEASE   # the one that created them"));
        return compatible;
    }

    private boolean isWritable(Sql sql) {
        try {
            sql.update(Readiness.WRITE);
            results.add(Diagnosis.ok("the database is writable"));
            return true;
        } catch (StorageException e) {
            results.add(Diagnosis.problem(
                    "the database is not writable: " + cause(e),
                    url.engine() == Engine.SQLITE
                            ? "chmod u+w " + file() + "   # and stop other programs that lock it"
                            : "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO CURRENT_USER;"));
            return false;
        }
    }

    private void checkSigningKey(Sql sql) {
        Path kept = config.get(Settings.DATA_DIR).resolve(SessionSecret.FILE);
        Optional<String> configured = config.get(Settings.SESSION_SECRET);
        if (configured.isEmpty() && !Files.exists(kept)) {
            results.add(Diagnosis.problem(
                    "the database is in use, but its secret " + kept + " is missing: sealed data opens only with it",
                    "cp BACKUP/" + SessionSecret.FILE + " " + kept));
            return;
        }
        try {
            String secret = configured.isPresent()
                    ? configured.get()
                    : Files.readString(kept).strip();
            DerivedKeys secrets = new DerivedKeys(secret, config.get(Settings.SESSION_SECRET_PREVIOUS));
            Sealer sealer = new Sealer(secrets.signingKeySeal(), new SecureRandom());
            var keys = new KeyRing(sql, sealer, clock, config.get(Settings.TOKEN_TTL_SECONDS));
            int count = keys.names().size();
            results.add(Diagnosis.ok(
                    count == 0
                            ? "there is no signing key yet; the service creates one when it needs it"
                            : "the signing keys open: " + count));
        } catch (IOException | StorageException | IllegalArgumentException e) {
            results.add(Diagnosis.problem(
                    String.valueOf(e.getMessage()),
                    "export SESSION_SECRET=PREVIOUS   # or, to end all tokens: DELETE FROM porchlight_signing_key;"));
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
