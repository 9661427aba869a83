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
import dev.porchlight.server.auth.ApiTokens;
import dev.porchlight.server.auth.DerivedKeys;
import dev.porchlight.server.auth.EmailLinks;
import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.auth.SealedEntries;
import dev.porchlight.server.auth.SessionSecret;
import dev.porchlight.server.auth.Sessions;
import dev.porchlight.server.auth.StableKeys;
import dev.porchlight.server.auth.StableKeys.Purpose;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.crypto.KeyedHash;
import dev.porchlight.server.crypto.Sealer;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.limit.RateLimit;
import dev.porchlight.server.limit.RateLimiter;
import dev.porchlight.server.mail.MailQueue;
import dev.porchlight.server.outbox.EventRelay;
import dev.porchlight.server.outbox.Outbox;
import dev.porchlight.server.outbox.Webhooks;
import dev.porchlight.server.storage.ChallengeEpoch;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.ErasedUsers;
import dev.porchlight.server.storage.NewFile;
import dev.porchlight.server.storage.OwnerOnly;
import dev.porchlight.server.storage.RemovedPasskeys;
import dev.porchlight.server.storage.SqlSealedEntries;
import dev.porchlight.server.storage.TableMaintenance;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Units;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Secrets, database, keys and Redis, and the stores in them, each of which exists once. If Redis is configured, instances
 * share rate limits in it; everything else is in the database. Not thread-safe.
 */
public final class StorageModule {
    private static final int COMMAND_CONNECTIONS = 2;

    private final Parts parts;
    final Config config;
    final Clock clock;
    private final Sql.StatementListener listener;
    final SecureRandom random = new SecureRandom();
    private final DerivedKeys secrets;
    private final Database database;
    private final Sql sql;
    private final StableKeys keys;
    private final byte[] auditKey;
    private final ErasedUsers erasedUsers;
    private final RemovedPasskeys removedPasskeys;
    private final Outbox outbox;
    private final Webhooks webhooks;
    private final @Nullable MailQueue mail;
    private final TakenNames names;
    private final SealedEntries entries;
    private final Sessions sessions;
    private final Enrollments enrollments;
    private final EmailLinks notices;
    private final KeyRing keyRing;
    private @Nullable Redis redis;

    /** Opens the storage for a command of the command line, with few connections. */
    public StorageModule(Parts parts, Config config) throws IOException {
        this(parts, config, COMMAND_CONNECTIONS, Clock.systemUTC(), Database.START_TIMEOUT, statement -> () -> {});
    }

    /**
     * Opens the database and creates its tables.
     *
     * @param parts closes the storage
     * @param startTimeout how long to wait for a database that is not available yet
     * @param listener is notified of statements
     */
    public StorageModule(
            Parts parts,
            Config config,
            int connections,
            Clock clock,
            Duration startTimeout,
            Sql.StatementListener listener)
            throws IOException {
        this.parts = parts;
        this.config = config;
        this.clock = clock;
        this.listener = listener;
        config.createDataDir();
        String secret = SessionSecret.of(config.get(Settings.SESSION_SECRET), config.get(Settings.DATA_DIR), random);
        secrets = new DerivedKeys(secret, config.get(Settings.SESSION_SECRET_PREVIOUS));
        database =
                Database.open(config.get(Settings.DATABASE_URL), connections, config.get(Settings.REQUEST_TIMEOUT_MS));
        parts.add(database::close);
        database.migrate(startTimeout);
        sql = database.sql(listener);
        keys = new StableKeys(database.sql(), secrets, random);
        auditKey = keys.of(Purpose.AUDIT_CHAIN);
        erasedUsers = new ErasedUsers(keys.of(Purpose.ERASED_NAMES));
        removedPasskeys = new RemovedPasskeys(keys.of(Purpose.REMOVED_PASSKEYS));
        // Its statements are not traced: most find nothing, every second.
        outbox = new Outbox(database.sql(), keys.of(Purpose.OUTBOX), clock, random);
        webhooks = new Webhooks(database.sql(), outbox);
        mail = config.get(Settings.SMTP_URL).isEmpty()
                ? null
                : new MailQueue(outbox, config.relyingParty().origin());
        names = new TakenNames(erasedUsers, auditSubjects());
        names.takeIfLastIsMissing(database.sql());
        entries = new SealedEntries(secrets, new SqlSealedEntries(sql, clock), clock, random);
        sessions = new Sessions(entries, config.get(Settings.SESSION_TTL_SECONDS));
        enrollments = new Enrollments(
                entries, new Sealer(secrets.allForPurpose("sign-up tokens"), random), config.get(Settings.SIGNUP));
        notices = new EmailLinks(entries, mail);
        keyRing = new KeyRing(
                sql, new Sealer(secrets.signingKeySeal(), random), clock, config.get(Settings.TOKEN_TTL_SECONDS));
    }

    public Database database() {
        return database;
    }

    public Sql sql() {
        return sql;
    }

    public DerivedKeys secrets() {
        return secrets;
    }

    public StableKeys keys() {
        return keys;
    }

    public ApiTokens apiTokens() {
        return new ApiTokens(sql, keys.of(Purpose.API_TOKENS), clock, random);
    }

    public AuditSubjects auditSubjects() {
        return new AuditSubjects(auditKey);
    }

    public ErasedUsers erasedUsers() {
        return erasedUsers;
    }

    public RemovedPasskeys removedPasskeys() {
        return removedPasskeys;
    }

    public TakenNames names() {
        return names;
    }

    public Sessions sessions() {
        return sessions;
    }

    public Enrollments enrollments() {
        return enrollments;
    }

    public KeyRing keyRing() {
        return keyRing;
    }

    /** Pseudonyms that replace user ids in logs. */
    public Pseudonyms pseudonyms() {
        return new Pseudonyms(keys.of(Purpose.LOG_PSEUDONYMS));
    }

    /** The keys that seal challenges, the current one first. */
    public List<byte[]> challengeKeys() {
        return secrets.allForPurpose(ChallengeEpoch.purpose(database.sql()));
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
        Pseudonyms addresses = new Pseudonyms(secrets.forPurpose("rate limits"));
        return (name, perMinute) -> new RedisRateLimit(shared, name, perMinute, addresses::of, nanoTime);
    }

    /** The recent ceremonies of this instance, and the failed ones of all instances. */
    public CeremonyHistory history() {
        return new CeremonyHistory(
                sql,
                erasedUsers,
                new KeyedHash(keys.of(Purpose.REFUSAL_INDEX)),
                new Sealer(List.of(keys.of(Purpose.REFUSAL_CONTENTS)), random),
                clock);
    }

    /** Messages that wait to be sent. */
    public Outbox outbox() {
        return outbox;
    }

    /** The endpoints of webhooks. */
    public Webhooks webhooks() {
        return webhooks;
    }

    /** Notifies users of changes, and verifies their addresses. */
    public EmailLinks notices() {
        return notices;
    }

    /** Adds mails to the outbox; null if no mail server is configured. */
    public @Nullable MailQueue mail() {
        return mail;
    }

    /** Turns audit rows into messages. */
    public EventRelay relay() {
        return new EventRelay(database.sql(), webhooks, outbox);
    }

    /** Units of work, with a new chain of audit rows. The caller closes them. */
    public Units units() {
        return database.units(new AuditTrail(auditKey, clock), listener);
    }

    /** Compares the audit log with its anchors in the database and in the data directory. */
    public AuditGuard auditGuard() {
        List<AnchorPlace> places = AnchorPlace.of(
                database.sql(), config.get(Settings.DATA_DIR), database.url().identity());
        return new AuditGuard(new AuditStore(database.sql()), auditKey, places);
    }

    public AuditVerification auditVerification() {
        return new AuditVerification(new AuditStore(database.sql()), auditKey);
    }

    /** Advice for operators about the storage, one sentence each. */
    public Set<String> advice() {
        Set<String> advice = new LinkedHashSet<>(database.advice());
        if (config.needsDataDir()) {
            Path secret = config.get(Settings.DATA_DIR).resolve(SessionSecret.FILE);
            OwnerOnly.advice(NewFile.directoryOf(secret)).ifPresent(advice::add);
        }
        return advice;
    }

    /**
     * Removes expired entries and challenges, and audit rows after the configured number of days. The first run also takes the
     * names of users that an application added with the library.
     */
    public Runnable sweeper() {
        TableMaintenance tables = database.maintenance(clock);
        AuditRetention retention = new AuditRetention(database.sql(), auditKey);
        int days = config.get(Settings.AUDIT_RETENTION_DAYS);
        AtomicBoolean started = new AtomicBoolean();
        return () -> {
            entries.sweep();
            tables.run();
            if (days > 0) {
                tables.removeAudit(retention, clock.instant().minus(Duration.ofDays(days)));
            }
            if (!started.get()) {
                names.takeMissing(database.sql());
                started.set(true);
            }
        };
    }
}
