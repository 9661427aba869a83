// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.wiring;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.server.audit.AnchorPlace;
import dev.porchlight.server.audit.AuditGuard;
import dev.porchlight.server.audit.AuditRetention;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.audit.AuditSubjects;
import dev.porchlight.server.audit.AuditTrail;
import dev.porchlight.server.audit.AuditVerification;
import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.auth.Sealer;
import dev.porchlight.server.auth.SecretRotation;
import dev.porchlight.server.auth.SessionManager;
import dev.porchlight.server.auth.SessionSecret;
import dev.porchlight.server.auth.Sessions;
import dev.porchlight.server.auth.StableKeys;
import dev.porchlight.server.auth.UserAdministration;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.crypto.KeyedHash;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.history.RefusedResponses;
import dev.porchlight.server.history.SharedRefusals;
import dev.porchlight.server.limit.RateLimit;
import dev.porchlight.server.limit.RateLimiter;
import dev.porchlight.server.storage.ChallengeEpoch;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.ErasedUsers;
import dev.porchlight.server.storage.NewFile;
import dev.porchlight.server.storage.OwnerOnly;
import dev.porchlight.server.storage.SealedRefusals;
import dev.porchlight.server.storage.SqlSealedEntries;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.storage.Upkeep;
import dev.porchlight.server.storage.redis.Redis;
import dev.porchlight.server.storage.redis.RedisRateLimit;
import dev.porchlight.server.token.KeyRing;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Secrets, database, keys and Redis, and the stores in them. If Redis is configured, instances share rate limits in it;
 * everything else is in the database. Not thread-safe.
 */
public final class StorageModule {
    private static final int COMMAND_CONNECTIONS = 2;

    private final Parts parts;
    private final Config config;
    private final Clock clock;
    private final Sql.StatementListener listener;
    private final SecureRandom random = new SecureRandom();
    private final Path dataDir;
    private final SecretRotation secrets;
    private final Database database;
    private final StableKeys keys;
    private @Nullable Redis redis;

    /** Opens the storage for a command of the command line, with few connections. */
    public StorageModule(Parts parts, Config config) throws IOException {
        this(parts, config, Clock.systemUTC(), COMMAND_CONNECTIONS, Database.START_TIMEOUT, statement -> () -> {});
    }

    /**
     * Opens the database and creates its tables.
     *
     * @param parts closes the storage
     * @param startTimeout how long to wait for a database that is not available yet
     * @param listener is notified of statements
     */
    public StorageModule(Parts parts, Config config, Clock clock, Duration startTimeout, Sql.StatementListener listener)
            throws IOException {
        this(parts, config, clock, config.get(Settings.DATABASE_CONNECTIONS), startTimeout, listener);
    }

    private StorageModule(
            Parts parts,
            Config config,
            Clock clock,
            int connections,
            Duration startTimeout,
            Sql.StatementListener listener)
            throws IOException {
        this.parts = parts;
        this.config = config;
        this.clock = clock;
        this.listener = listener;
        dataDir = config.get(Settings.DATA_DIR);
        config.createDataDir();
        String secret = SessionSecret.of(config.get(Settings.SESSION_SECRET), dataDir, random);
        secrets = new SecretRotation(secret, config.get(Settings.SESSION_SECRET_PREVIOUS));
        database =
                Database.open(config.get(Settings.DATABASE_URL), connections, config.get(Settings.REQUEST_TIMEOUT_MS));
        parts.add(database::close);
        database.migrate(startTimeout);
        keys = new StableKeys(database.sql(), secrets, random);
        names().takeMissing(database.sql());
    }

    public Database database() {
        return database;
    }

    /** Statements that notify the listener. */
    public Sql sql() {
        return database.sql(listener);
    }

    public SecretRotation secrets() {
        return secrets;
    }

    public StableKeys keys() {
        return keys;
    }

    /** Pseudonyms that replace user ids in logs. */
    public Pseudonyms pseudonyms() {
        return new Pseudonyms(keys.logPseudonyms());
    }

    /** The keys that seal challenges, the current one first. */
    public List<byte[]> challengeKeys() {
        return secrets.forPurpose(ChallengeEpoch.purpose(database.sql()));
    }

    /** The Redis that all instances share, opened by the first call; null if not configured. */
    public @Nullable Redis redis() {
        if (redis == null && config.get(Settings.REDIS_URL).isPresent()) {
            Redis opened = Redis.open(config.get(Settings.REDIS_URL).get(), config.get(Settings.REQUEST_TIMEOUT_MS));
            parts.add(opened::close);
            redis = opened;
        }
        return redis;
    }

    public RateLimit.Source limits(LongSupplier nanoTime) {
        Redis shared = redis();
        if (shared == null) {
            return (name, perMinute) -> new RateLimiter(perMinute, nanoTime);
        }
        Pseudonyms addresses = new Pseudonyms(secrets.current().forPurpose("rate limits"));
        return (name, perMinute) -> new RedisRateLimit(shared, name, perMinute, addresses::of, nanoTime);
    }

    public Sessions sessions() {
        return new Sessions(entries(), config.get(Settings.SESSION_TTL_SECONDS));
    }

    public Enrollments enrollments() {
        return new Enrollments(
                entries(), new Sealer(secrets.forPurpose("sign-up tokens"), random), config.get(Settings.SIGNUP));
    }

    public ErasedUsers erasedUsers() {
        return new ErasedUsers(keys.erasedNames());
    }

    /** The refused ceremonies of all instances, with the ones that this instance knows. */
    public SharedRefusals refusals(CeremonyHistory history, RefusedResponses responses) {
        SharedRefusals.Secrets refusalSecrets = new SharedRefusals.Secrets(
                new KeyedHash(keys.refusalIndex()), new Sealer(List.of(keys.refusalContents()), random));
        return new SharedRefusals(history, responses, new SealedRefusals(sql()), erasedUsers(), refusalSecrets, clock);
    }

    public TakenNames names() {
        return new TakenNames(erasedUsers(), new AuditSubjects(keys.auditChain()));
    }

    /**
     * Creates the administration of users, which commits to these units.
     *
     * @param accessEnded is notified of users whose sessions and tokens have ended
     */
    public UserAdministration users(
            Units units, Sessions sessions, Enrollments enrollments, Consumer<String> accessEnded) {
        return new UserAdministration(
                units, sessions, enrollments, erasedUsers(), new SealedRefusals(sql()), accessEnded, clock);
    }

    private SessionManager entries() {
        return new SessionManager(secrets, new SqlSealedEntries(sql(), clock), clock, random);
    }

    public KeyRing keyRing() {
        Sealer sealer = new Sealer(secrets.signingKeySeal(), random);
        return new KeyRing(sql(), sealer, clock, config.get(Settings.TOKEN_TTL_SECONDS));
    }

    /** Units of work, with a new chain of audit rows. The caller closes them. */
    public Units units() {
        return database.units(new AuditTrail(keys.auditChain(), clock), listener);
    }

    /** Compares the audit log with its anchors in the database and in the data directory. */
    public AuditGuard auditGuard() {
        List<AnchorPlace> places =
                AnchorPlace.of(database.sql(), dataDir, database.url().identity());
        return new AuditGuard(new AuditStore(database.sql()), keys.auditChain(), places);
    }

    public AuditVerification auditVerification() {
        return new AuditVerification(new AuditStore(database.sql()), keys.auditChain());
    }

    /** Advice for operators about the storage, one sentence each. */
    public Set<String> advice() {
        Set<String> advice = new LinkedHashSet<>(database.advice());
        if (config.needsDataDir()) {
            OwnerOnly.advice(NewFile.directoryOf(dataDir.resolve(SessionSecret.FILE)))
                    .ifPresent(advice::add);
        }
        return advice;
    }

    /** Removes expired entries and challenges, and audit rows after the configured number of days. */
    public Runnable sweeper() {
        SessionManager entries = entries();
        Upkeep upkeep = database.upkeep(clock);
        AuditRetention retention = new AuditRetention(database.sql(), keys.auditChain());
        int days = config.get(Settings.AUDIT_RETENTION_DAYS);
        return () -> {
            entries.sweep();
            upkeep.run();
            if (days > 0) {
                upkeep.removeAudit(retention, clock.instant().minus(Duration.ofDays(days)));
            }
        };
    }
}
