// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.observe.metrics.PoolState;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.PasskeyServiceBuilder;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.SqlPasskeyShapes;
import dev.porchlight.passkey.store.UsedChallenges;
import dev.porchlight.server.audit.AnchorPlace;
import dev.porchlight.server.audit.AuditGuard;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.audit.AuditRetention;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.audit.AuditTrail;
import dev.porchlight.server.auth.CanaryUser;
import dev.porchlight.server.auth.Ceremonies;
import dev.porchlight.server.auth.Enrolments;
import dev.porchlight.server.auth.Grants;
import dev.porchlight.server.auth.LastingKeys;
import dev.porchlight.server.auth.Removals;
import dev.porchlight.server.auth.Sealer;
import dev.porchlight.server.auth.SecretRotation;
import dev.porchlight.server.auth.SessionManager;
import dev.porchlight.server.auth.SessionSecret;
import dev.porchlight.server.auth.Sessions;
import dev.porchlight.server.auth.UserAdministration;
import dev.porchlight.server.canary.CanaryAccount;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.console.CeremonyHistory;
import dev.porchlight.server.crypto.SignatureProvider;
import dev.porchlight.server.explain.Explainer;
import dev.porchlight.server.explain.RefusedResponses;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.limit.RateLimit;
import dev.porchlight.server.routes.AuthRoutes;
import dev.porchlight.server.routes.ExplainRoutes;
import dev.porchlight.server.storage.ChallengeEpoch;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.NewFile;
import dev.porchlight.server.storage.OwnerOnly;
import dev.porchlight.server.storage.SqlSealedEntries;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.storage.Upkeep;
import dev.porchlight.server.telemetry.BrowserReports;
import dev.porchlight.server.telemetry.CeremonyTelemetry;
import dev.porchlight.server.telemetry.Readiness;
import dev.porchlight.server.telemetry.SqlSpans;
import dev.porchlight.server.telemetry.UnreadableRows;
import dev.porchlight.server.token.KeyRing;
import dev.porchlight.server.token.SqlSigningKeyStore;
import dev.porchlight.server.token.Tokens;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Everything that decides who may sign in, wired: storage, keys, sessions, passkeys and their routes. Thread-safe. */
final class Authority implements AutoCloseable {
    private static final Duration SWEEP = Duration.ofSeconds(30);

    private final Config config;
    private final Database database;
    private final SharedState shared;
    private final Units units;
    private final AuthRoutes routes;
    private final AuditWatch auditWatch;
    private final CanaryAccount canary;
    private final ExplainRoutes explain;
    private final ScheduledExecutorService housekeeping = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "porchlight-housekeeping");
        thread.setDaemon(true);
        return thread;
    });

    private Authority(
            Config config,
            Observability observe,
            Database database,
            Sql sql,
            SharedState shared,
            SecretRotation secrets,
            SignatureProvider signatures,
            CeremonyHistory history,
            RefusedResponses responses,
            Clock clock) {
        this.config = config;
        this.database = database;
        this.shared = shared;
        SecureRandom random = new SecureRandom();
        LastingKeys keys = new LastingKeys(database.sql(), secrets, random);

        SqlSpans spans = new SqlSpans(observe.tracer(), engineOf(database));
        units = database.units(new AuditTrail(keys.auditChain(), clock), spans);
        AuditLog audit = units.audit();
        Pseudonyms pseudonyms = new Pseudonyms(keys.logPseudonyms());
        CeremonyTelemetry telemetry = new CeremonyTelemetry(observe, pseudonyms, history, responses, clock);
        SessionManager manager = new SessionManager(secrets, shared.entries(), clock, random);
        tell(signatures, observe);
        CredentialStore credentials = database.passkeys(
                config.relyingParty().maxPasskeysPerUser(), new UnreadableRows(observe, pseudonyms), spans);
        List<byte[]> challengeKeys = secrets.forPurpose(ChallengeEpoch.purpose(database.sql()));
        PasskeyServiceBuilder passkeyParts = PasskeyService.builder(config.relyingParty(), database.dataSource())
                .sealedChallenges(
                        challengeKeys.get(0),
                        challengeKeys.subList(1, challengeKeys.size()).toArray(byte[][]::new))
                .credentialStore(credentials)
                .passkeyShapes(new SqlPasskeyShapes(database.sql(), CanaryUser.ID))
                .clock(clock)
                .random(random)
                .userHandleKey(keys.userHandles())
                .decoyKey(keys.decoys());
        signatures.provider().ifPresent(passkeyParts::provider);
        PasskeyService passkeys = passkeyParts.build();
        KeyRing ring = new KeyRing(
                new SqlSigningKeyStore(sql),
                new Sealer(secrets.signingKeySeal(), random),
                clock,
                config.get(Settings.TOKEN_TTL_SECONDS));
        if (config.get(Settings.SESSION_SECRET_PREVIOUS).isPresent()) {
            observe.logger()
                    .info(
                            "SESSION_SECRET_PREVIOUS is accepted; unset it when the rotation is over",
                            Fields.of("resealedKeys", ring.reseal()));
        }
        Tokens tokens = new Tokens(
                ring,
                config.relyingParty().origin(),
                config.relyingParty().rpId(),
                config.get(Settings.TOKEN_TTL_SECONDS),
                clock,
                signatures.provider().orElse(null));
        UsedChallenges inRedis = shared.usedChallenges();
        Sessions sessions = new Sessions(manager, config.get(Settings.SESSION_TTL_SECONDS), inRedis == null);
        SessionManager inDatabase = new SessionManager(secrets, new SqlSealedEntries(sql, clock), clock, random);
        Enrolments enrolments = new Enrolments(inDatabase, new Sealer(secrets.signupTokens(), random));
        Grants grants = new Grants(database.accessReads(spans));
        Ceremonies ceremonies = new Ceremonies(
                units, sessions, grants, config.get(Settings.LOGIN_RESULT).session(), inRedis);
        Removals removals = new Removals(units, sessions);
        UserAdministration users = new UserAdministration(units, sessions, enrolments, clock);
        canary = new CanaryAccount(passkeys, enrolments, removals, audit, clock);
        routes = new AuthRoutes(
                config,
                passkeys,
                tokens,
                ring,
                grants,
                sessions,
                ceremonies,
                removals,
                users,
                enrolments,
                audit,
                telemetry,
                new BrowserReports(observe.metrics(), history, config.relyingParty()),
                clock,
                sql);
        explain =
                new ExplainRoutes(passkeys, new Explainer(config.relyingParty(), credentials, clock), responses, audit);

        byte[] auditKey = keys.auditChain();
        auditWatch = auditWatch(config, database.sql(), auditKey, shared, observe);
        auditWatch.run(false);
        Readiness.register(
                observe.health(), database.sql(), ring, audit, auditWatch::notReady, engineOf(database), signatures);
        observe.metrics()
                .gauge("audit_log_faults")
                .help("Faults that the anchors of the audit log find: it was wiped or replaced.")
                .read(auditWatch::faults);
        observe.metrics()
                .counter("audit_rows_total")
                .help("Audit events, by result: written as a row, aggregated with others, or lost.")
                .labels("result")
                .read(samples -> {
                    samples.sample((double) audit.written(), "written");
                    samples.sample((double) audit.aggregated(), "aggregated");
                    samples.sample((double) audit.lost(), "lost");
                });
        Set<String> advice = new LinkedHashSet<>(database.advice());
        if (config.needsDataDir()) {
            OwnerOnly.advice(NewFile.directoryOf(config.get(Settings.DATA_DIR).resolve(SessionSecret.FILE)))
                    .ifPresent(advice::add);
        }
        advice.forEach(observe.logger()::warn);
        Upkeep upkeep = database.upkeep(clock);
        housekeeping.execute(() -> refreshDecoys(passkeys, observe));
        Runnable retention = retention(config, upkeep, new AuditRetention(database.sql(), auditKey), clock);
        var unused = housekeeping.scheduleWithFixedDelay(
                () -> {
                    sweep(inDatabase, upkeep, responses, retention, observe);
                    refreshDecoys(passkeys, observe);
                },
                SWEEP.toSeconds(),
                SWEEP.toSeconds(),
                TimeUnit.SECONDS);
    }

    private static AuditWatch auditWatch(
            Config config, Sql sql, byte[] key, SharedState shared, Observability observe) {
        List<AnchorPlace> places = new ArrayList<>(AnchorPlace.of(
                sql,
                config.get(Settings.DATA_DIR),
                config.get(Settings.DATABASE_URL).identity()));
        shared.anchor(config.get(Settings.DATABASE_URL).place()).ifPresent(places::add);
        if (places.size() == 1) {
            observe.logger()
                    .warn("nothing outside of the database tells whether its audit log was replaced by an older one:"
                            + " create DATA_DIR, set REDIS_URL, or keep the heads that this log shows");
        }
        AuditGuard guard = new AuditGuard(new AuditStore(sql), key, places);
        return new AuditWatch(guard, observe.logger(), System::nanoTime);
    }

    private static Runnable retention(Config config, Upkeep upkeep, AuditRetention retention, Clock clock) {
        int days = config.get(Settings.AUDIT_RETENTION_DAYS);
        return days == 0
                ? () -> {}
                : () -> upkeep.removeAudit(retention, clock.instant().minus(Duration.ofDays(days)));
    }

    private static void tell(SignatureProvider chosen, Observability observe) {
        observe.metrics()
                .gauge("crypto_provider_info")
                .help("Which security provider checks signatures.")
                .labels("provider")
                .read(samples -> samples.sample(1, chosen.name()));
        if (chosen.passedOver() == null) {
            observe.logger().info("signatures are checked by " + chosen.name());
        } else {
            observe.logger()
                    .warn(
                            "signatures are checked by " + chosen.name() + ", which is slow",
                            Fields.of("nativeProvider", chosen.passedOver()));
        }
    }

    /** Opens the storage, waiting for the database as long as the pace allows; creates its tables and wires the services on it. */
    static Authority open(
            Config config,
            Observability observe,
            CompletableFuture<SignatureProvider> signatures,
            CeremonyHistory history,
            RefusedResponses responses,
            Clock clock,
            Pace pace)
            throws IOException {
        config.makeDataDir();
        String secret = config.get(Settings.SESSION_SECRET).isPresent()
                ? config.get(Settings.SESSION_SECRET).get()
                : SessionSecret.in(config.get(Settings.DATA_DIR), new SecureRandom());
        SecretRotation secrets = new SecretRotation(secret, config.get(Settings.SESSION_SECRET_PREVIOUS));
        Database database = Database.open(config.get(Settings.DATABASE_URL), config.get(Settings.DATABASE_CONNECTIONS));
        try {
            database.migrate(pace.database());
            SignatureProvider provider = signatures.join();
            Sql sql = database.sql(new SqlSpans(observe.tracer(), engineOf(database)));
            SharedState shared = SharedState.open(
                    config.get(Settings.REDIS_URL), sql, secrets.current(), observe, clock, pace.nanoTime());
            try {
                return new Authority(
                        config, observe, database, sql, shared, secrets, provider, history, responses, clock);
            } catch (RuntimeException e) {
                shared.close();
                throw e;
            }
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    private static String engineOf(Database database) {
        return database.url().engine().name().toLowerCase(Locale.ROOT);
    }

    void mount(Router.Builder router) {
        routes.mount(router);
    }

    CanaryAccount canary() {
        return canary;
    }

    /** What operators ask of it. */
    void mountForOperators(Router.Builder router) {
        routes.mountForOperators(router);
        explain.mount(router);
    }

    PoolState pool() {
        Database.PoolState state = database.poolState();
        return new PoolState(state.idle(), state.active(), state.waiting());
    }

    RateLimit.Source limits() {
        return shared.limits();
    }

    /** The origins whose pages may call the auth routes. Related ones may be apps, which have no pages. */
    Set<String> pageOrigins() {
        PasskeyConfig party = config.relyingParty();
        return Stream.concat(Stream.of(party.origin()), party.relatedOrigins().stream())
                .filter(origin -> origin.startsWith("http"))
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public void close() {
        housekeeping.shutdownNow();
        units.close();
        auditWatch.run(true);
        shared.close();
        database.close();
    }

    private void sweep(
            SessionManager manager,
            Upkeep upkeep,
            RefusedResponses responses,
            Runnable retention,
            Observability observe) {
        responses.sweep();
        try {
            units.flush();
            manager.sweep();
            upkeep.run();
            retention.run();
        } catch (RuntimeException e) {
            observe.logger().warn("expired entries could not be removed; the next sweep tries again", e);
        }
        auditWatch.run(false);
    }

    private static void refreshDecoys(PasskeyService passkeys, Observability observe) {
        try {
            passkeys.refreshDecoys();
        } catch (RuntimeException e) {
            observe.logger().warn("the shapes of decoys could not be refreshed; the next sweep tries again", e);
        }
    }
}
