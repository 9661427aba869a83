// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.cli;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.CredentialStore.Removal;
import dev.porchlight.passkey.store.PasskeyExport;
import dev.porchlight.passkey.store.PasskeyImport;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.server.audit.AnchorPlace;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditGuard;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.audit.AuditTrail;
import dev.porchlight.server.audit.AuditVerification;
import dev.porchlight.server.auth.Enrolments;
import dev.porchlight.server.auth.LastingKeys;
import dev.porchlight.server.auth.Removals;
import dev.porchlight.server.auth.Sealer;
import dev.porchlight.server.auth.SecretRotation;
import dev.porchlight.server.auth.SessionManager;
import dev.porchlight.server.auth.SessionSecret;
import dev.porchlight.server.auth.Sessions;
import dev.porchlight.server.auth.UserAdministration;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.SqlSealedEntries;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.storage.redis.Redis;
import dev.porchlight.server.storage.redis.RedisAnchor;
import dev.porchlight.server.storage.redis.RedisSealedEntries;
import dev.porchlight.server.token.KeyRing;
import dev.porchlight.server.token.SqlSigningKeyStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The service's database, opened for one command. */
final class OpenStore implements AutoCloseable {
    /** Where a correlation id stands in audit rows that no request caused. */
    private static final String COMMAND_LINE = "command-line";

    private final Clock clock = Clock.systemUTC();
    private final SecureRandom random = new SecureRandom();
    private final Config config;
    private final Database database;
    private final Sql sql;
    private final LastingKeys keys;
    private final SecretRotation secrets;
    /** Opened by the commands that need what is in it. */
    private @Nullable Redis redis;

    private OpenStore(Config config, Database database, SecretRotation secrets) {
        this.config = config;
        this.database = database;
        sql = new Sql(database.dataSource());
        this.secrets = secrets;
        keys = new LastingKeys(sql, secrets, random);
    }

    static OpenStore open(Config config) throws IOException {
        config.makeDataDir();
        String secret = config.get(Settings.SESSION_SECRET).isPresent()
                ? config.get(Settings.SESSION_SECRET).get()
                : SessionSecret.in(config.get(Settings.DATA_DIR), new SecureRandom());
        Database database = Database.open(config.get(Settings.DATABASE_URL), config.get(Settings.DATABASE_CONNECTIONS));
        try {
            database.migrate();
            return new OpenStore(
                    config, database, new SecretRotation(secret, config.get(Settings.SESSION_SECRET_PREVIOUS)));
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    KeyRing keyRing() {
        Sealer sealer = new Sealer(secrets.signingKeySeal(), random);
        return new KeyRing(new SqlSigningKeyStore(sql), sealer, clock, config.get(Settings.TOKEN_TTL_SECONDS));
    }

    /** They are in the database, also where sessions are in Redis. */
    Enrolments enrolments() {
        return new Enrolments(
                new SessionManager(secrets, new SqlSealedEntries(sql, clock), clock, random),
                new Sealer(secrets.signupTokens(), random));
    }

    private Sessions sessions() {
        return new Sessions(
                manager(),
                config.get(Settings.SESSION_TTL_SECONDS),
                config.get(Settings.REDIS_URL).isEmpty());
    }

    private SessionManager manager() {
        if (config.get(Settings.REDIS_URL).isEmpty()) {
            return new SessionManager(secrets, new SqlSealedEntries(sql, clock), clock, random);
        }
        if (redis == null) {
            redis = Redis.open(config.get(Settings.REDIS_URL).get(), Redis.Listener.NONE);
        }
        return new SessionManager(secrets, new RedisSealedEntries(redis, clock), clock, random);
    }

    /** Users and passkeys; rows that cannot be read are reported here. */
    CredentialStore credentials(PrintWriter err) {
        return new SqlCredentialStore(
                sql,
                row -> err.println("the passkey " + row.credentialId() + " of " + row.userId() + " cannot be read ("
                        + row.fault() + "): remove or correct its row"));
    }

    PasskeyExport passkeyExport() {
        return new PasskeyExport(database.dataSource());
    }

    PasskeyImport passkeyImport() {
        return PasskeyImport.into(database.dataSource());
    }

    /** After an import: no stranger can sign up under the name of a user there. */
    void takeNames() {
        TakenNames.fill(sql);
    }

    /** Issues an enrollment token, as the service does. */
    Enrolments.Issued invite(String userId) {
        String holder = TakenNames.reserve(sql, userId);
        if (holder != null) {
            throw new IllegalArgumentException("the name is taken by the user " + holder
                    + ": give the id in that spelling, or choose another name");
        }
        return enrolments().forAnyUser(userId);
    }

    Pseudonyms pseudonyms() {
        return new Pseudonyms(keys.logPseudonyms());
    }

    AuditVerification auditVerification() {
        return new AuditVerification(new AuditStore(sql), keys.auditChain());
    }

    /** Compares the audit log with its anchors. */
    AuditGuard auditGuard() {
        List<AnchorPlace> places = new ArrayList<>(AnchorPlace.of(
                sql,
                config.get(Settings.DATA_DIR),
                config.get(Settings.DATABASE_URL).identity()));
        config.get(Settings.REDIS_URL).ifPresent(url -> {
            redis = redis == null ? Redis.open(url, Redis.Listener.NONE) : redis;
            places.add(new RedisAnchor(redis, config.get(Settings.DATABASE_URL).place()));
        });
        return new AuditGuard(new AuditStore(sql), keys.auditChain(), places);
    }

    /** Writes an audit row, as the service does for what comes by HTTP. */
    void audit(String action, String userId) throws IOException {
        try (Units units = units()) {
            if (!units.audit().append(AuditEvent.of(action, userId, COMMAND_LINE))) {
                throw new IOException("it was done, but the audit log could not be written");
            }
        }
        anchorAudit();
    }

    /** Moves the anchors on, unless the log is not what they say. */
    private void anchorAudit() {
        AuditGuard guard = auditGuard();
        if (guard.faults().isEmpty()) {
            var unused = guard.anchor();
        }
    }

    /** Removes a passkey with its sessions, as the service does. */
    Removal remove(String userId, String credentialId, boolean evenTheLast) {
        Removal removal;
        try (Units units = units()) {
            removal = new Removals(units, sessions()).remove(userId, credentialId, evenTheLast, COMMAND_LINE);
        }
        anchorAudit();
        return removal;
    }

    /** A change of one user's access. */
    @FunctionalInterface
    interface UserChange {
        UserAdministration.Result apply(UserAdministration users, String userId, String correlationId);
    }

    /** Changes a user's access, as the service does. */
    UserAdministration.Result change(String userId, UserChange change) {
        UserAdministration.Result result;
        try (Units units = units()) {
            UserAdministration users = new UserAdministration(units, sessions(), enrolments(), clock);
            result = change.apply(users, userId, COMMAND_LINE);
        }
        anchorAudit();
        return result;
    }

    private Units units() {
        return database.units(new AuditTrail(keys.auditChain(), clock), statement -> () -> {});
    }

    @Override
    public void close() {
        if (redis != null) {
            redis.close();
        }
        database.close();
    }
}
