// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.base.sql.TableVersion;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.server.auth.DerivedKeys;
import dev.porchlight.server.auth.SessionSecret;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.crypto.Sealer;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.DatabaseUrl;
import dev.porchlight.server.storage.DatabaseUrl.Engine;
import dev.porchlight.server.storage.RedisUrl;
import dev.porchlight.server.storage.ServerTables;
import dev.porchlight.server.storage.redis.Redis;
import dev.porchlight.server.telemetry.Readiness;
import dev.porchlight.server.token.KeyRing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Optional;

/**
 * Checks that the database is reachable and writable, has compatible tables, and that its signing keys open; and that Redis, if
 * configured, is writable and evicts nothing.
 */
final class StorageCheck {
    private final Examination examination;
    private final Config config;
    private final DatabaseUrl url;

    StorageCheck(Examination examination) {
        this.examination = examination;
        this.config = examination.config();
        this.url = config.get(Settings.DATABASE_URL);
    }

    void run() {
        if (url.engine() != Engine.SQLITE || Files.exists(file())) {
            try (Database database = Database.open(url, 1)) {
                examine(new Sql(database.dataSource()));
            } catch (StorageException e) {
                examination.problem(String.valueOf(e.getMessage()), "./porchlight restore BACKUP");
            }
        } else {
            Path file = absolute(file());
            Path parent = file.getParent() == null ? file : file.getParent();
            if (Files.isDirectory(parent) || parent.equals(absolute(config.get(Settings.DATA_DIR)))) {
                examination.skipped("the database " + file() + " is created at the first start");
            } else {
                examination.problem(
                        "the database cannot be created: the directory " + parent + " does not exist",
                        "mkdir -p " + parent);
            }
        }
        config.get(Settings.REDIS_URL).ifPresent(this::checkRedis);
    }

    private void examine(Sql sql) {
        try {
            sql.query("SELECT 1", row -> row.getInt(1));
        } catch (StorageException e) {
            examination.problem(
                    "the database " + url + " cannot be reached: " + cause(e),
                    "export DATABASE_URL=postgres://USER:PASSWORD@HOST/NAME   # test it with: psql \"$DATABASE_URL\"");
            return;
        }
        examination.ok("the database " + url + " is reachable");
        if (url.engine() != Engine.SQLITE) {
            long now = sql.query("SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint", row -> row.getLong(1))
                    .get(0);
            examination.expectClock("the database's", Instant.ofEpochMilli(now));
        }
        if (tablesAreCompatible(sql) && isWritable(sql)) {
            checkSigningKey(sql);
            ClientCheck.run(examination, sql);
        }
    }

    private boolean tablesAreCompatible(Sql sql) {
        TableVersion passkey = TableVersion.read(sql, "passkey");
        TableVersion server = TableVersion.read(sql, "server");
        if (passkey.version() < Migration.VERSION || server.version() < ServerTables.VERSION) {
            examination.skipped("the tables are created at the next start");
            return false;
        }
        return examination.expect(
                passkey.supports(Migration.VERSION) && server.supports(ServerTables.VERSION),
                "the tables are compatible with this release",
                "a newer release created the tables, and they are incompatible with this one",
                "git checkout RELEASE   # the one that created them");
    }

    private boolean isWritable(Sql sql) {
        try {
            sql.update(Readiness.WRITE);
            examination.ok("the database is writable");
            return true;
        } catch (StorageException e) {
            examination.problem(
                    "the database is not writable: " + cause(e),
                    url.engine() == Engine.SQLITE
                            ? "chmod u+w " + file() + "   # and stop other programs that lock it"
                            : "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO CURRENT_USER;");
            return false;
        }
    }

    private void checkSigningKey(Sql sql) {
        Path kept = config.get(Settings.DATA_DIR).resolve(SessionSecret.FILE);
        Optional<String> configured = config.get(Settings.SESSION_SECRET);
        if (configured.isEmpty() && !Files.exists(kept)) {
            examination.problem(
                    "the database is in use, but its secret " + kept + " is missing: sealed data opens only with it",
                    "cp BACKUP/" + SessionSecret.FILE + " " + kept);
            return;
        }
        try {
            String secret = configured.isPresent()
                    ? configured.get()
                    : Files.readString(kept).strip();
            DerivedKeys secrets = new DerivedKeys(secret, config.get(Settings.SESSION_SECRET_PREVIOUS));
            Sealer sealer = new Sealer(secrets.signingKeySeal(), new SecureRandom());
            var keys = new KeyRing(sql, sealer, examination.clock(), config.get(Settings.TOKEN_TTL_SECONDS));
            int count = keys.published().size();
            examination.ok(
                    count == 0
                            ? "there is no signing key yet; the service creates the first ones when it starts"
                            : "the signing keys open: " + count);
        } catch (IOException | StorageException | IllegalArgumentException e) {
            examination.problem(
                    String.valueOf(e.getMessage()),
                    "export SESSION_SECRET=PREVIOUS   # or, to end all tokens: DELETE FROM porchlight_signing_key;");
        }
    }

    private void checkRedis(RedisUrl redisUrl) {
        try (Redis redis = Redis.open(redisUrl)) {
            String fault = redis.fault();
            if (examination.expect(
                    fault == null,
                    "Redis at " + redisUrl + " is writable",
                    "Redis at " + redisUrl + " is not writable: " + fault,
                    "export REDIS_URL=redis://:PASSWORD@HOST:6379   # test it with: redis-cli -u \"$REDIS_URL\" ping")) {
                String policy = redis.evictionPolicy();
                examination.expect(
                        policy.equals("noeviction"),
                        "Redis evicts no entries",
                        "Redis evicts entries when it is full (" + policy + "), which resets rate limits unnoticed",
                        "redis-cli -u \"$REDIS_URL\" CONFIG SET maxmemory-policy noeviction   # and in redis.conf");
            }
        } catch (StorageException e) {
            examination.skipped("the settings of Redis are not available: "
                    + (e.getCause() == null ? e : e.getCause()).getMessage());
        }
    }

    private Path file() {
        return url.file().orElse(Path.of(":memory:"));
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
