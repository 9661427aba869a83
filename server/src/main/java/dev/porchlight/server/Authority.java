// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.observe.metrics.PoolSource;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.PasskeyServiceBuilder;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.Sql;
import dev.porchlight.passkey.store.SqlPasskeyShapes;
import dev.porchlight.passkey.store.UsedChallenges;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.audit.AuditTrail;
import dev.porchlight.server.auth.CanaryUser;
import dev.porchlight.server.auth.Ceremonies;
import dev.porchlight.server.auth.DerivedKeys;
import dev.porchlight.server.auth.Enrolments;
import dev.porchlight.server.auth.Grants;
import dev.porchlight.server.auth.Removals;
import dev.porchlight.server.auth.Sealer;
import dev.porchlight.server.auth.SessionManager;
import dev.porchlight.server.auth.SessionSecret;
import dev.porchlight.server.auth.Sessions;
import dev.porchlight.server.auth.UserAdministration;
import dev.porchlight.server.canary.CanaryAccount;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.console.CeremonyHistory;
import dev.porchlight.server.crypto.SignatureProvider;
import dev.porchlight.server.explain.Explainer;
import dev.porchlight.server.explain.RefusedResponses;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.limit.RateLimit;
import dev.porchlight.server.routes.AdminGate;
import dev.porchlight.server.routes.AuthRoutes;
import dev.porchlight.server.routes.ExplainRoutes;
import dev.porchlight.server.storage.ChallengeEpoch;
import dev.porchlight.server.storage.Database;
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
            String secret,
            SignatureProvider signatures,
            AdminGate gate,
            CeremonyHistory history,
            RefusedResponses responses,
            Clock clock) {
        this.config = config;
        this.database = database;
        this.shared = shared;
        SecureRandom random = new SecureRandom();
        DerivedKeys keys = new DerivedKeys(secret);

        SqlSpans spans = new SqlSpans(observe.tracer(), engineOf(database));
        units = database.units(new AuditTrail(keys.auditChain(), clock), spans);
        AuditLog audit = units.audit();
        Pseudonyms pseudonyms = new Pseudonyms(keys.logPseudonyms());
        CeremonyTelemetry telemetry = new CeremonyTelemetry(observe, pseudonyms, history, responses, clock);
        SessionManager manager = new SessionManager(secret, shared.entries(), clock, random);
        tell(signatures, observe);
        CredentialStore credentials = database.passkeys(
                config.relyingParty().maxPasskeysPerUser(), new UnreadableRows(observe, pseudonyms), spans);
        PasskeyServiceBuilder passkeyParts = PasskeyService.builder(config.relyingParty(), database.dataSource())
                .sealedChallenges(keys.forPurpose(ChallengeEpoch.purpose(database.sql())))
                .credentialStore(credentials)
                .passkeyShapes(new SqlPasskeyShapes(database.sql(), CanaryUser.ID))
                .clock(clock)
                .random(random)
                .listener(telemetry)
                .userHandleKey(keys.userHandles())
                .decoyKey(keys.forPurpose("decoy credentials"));
        signatures.provider().ifPresent(passkeyParts::provider);
        PasskeyService passkeys = passkeyParts.build();
        KeyRing ring = new KeyRing(
                new SqlSigningKeyStore(sql),
                new Sealer(keys.signingKeySeal(), random),
                clock,
                config.auth().tokenTtl());
        Tokens tokens = new Tokens(
                ring,
                config.relyingParty().origin(),
                config.relyingParty().rpId(),
                config.auth().tokenTtl(),
                clock,
                signatures.provider().orElse(null));
        UsedChallenges inRedis = shared.usedChallenges();
        Sessions sessions = new Sessions(manager, config.auth().sessionTtl(), inRedis == null);
        SessionManager inDatabase = new SessionManager(secret, new SqlSealedEntries(sql, clock), clock, random);
        Enrolments enrolments = new Enrolments(inDatabase, new Sealer(keys.signupTokens(), random));
        Grants grants = new Grants(database.accessReads(spans));
        Ceremonies ceremonies = new Ceremonies(
                units, sessions, grants, config.auth().loginResult().session(), inRedis);
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
                sql,
                gate);
        explain = new ExplainRoutes(
                gate, passkeys, new Explainer(config.relyingParty(), credentials, clock), responses, audit);

        Readiness.register(observe.health(), database.sql(), ring, audit, engineOf(database), signatures);
        observe.metrics()
                .callbackCounter(
                        "audit_rows_total",
                        "Audit rows by what became of them.",
                        samples -> {
                            samples.sample((double) audit.written(), "written");
                            samples.sample((double) audit.lost(), "lost");
                        },
                        "result");
        database.advice().forEach(advice -> observe.logger().warn(advice));
        Upkeep upkeep = database.upkeep(clock);
        housekeeping.execute(() -> refreshDecoys(passkeys, observe));
        var unused = housekeeping.scheduleWithFixedDelay(
                () -> {
                    sweep(inDatabase, upkeep, responses, observe);
                    refreshDecoys(passkeys, observe);
                },
                SWEEP.toSeconds(),
                SWEEP.toSeconds(),
                TimeUnit.SECONDS);
    }

    private static void tell(SignatureProvider chosen, Observability observe) {
        observe.metrics()
                .callbackGauge(
                        "crypto_provider_info",
                        "Which security provider checks signatures.",
                        samples -> samples.sample(1, chosen.name()),
                        "provider");
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
            AdminGate gate,
            CeremonyHistory history,
            RefusedResponses responses,
            Clock clock,
            Pace pace)
            throws IOException {
        if (config.needsDataDir()) {
            config.storage().makeDataDir();
        }
        String secret = config.auth().sessionSecret().isPresent()
                ? config.auth().sessionSecret().get()
                : SessionSecret.in(config.storage().dataDir(), new SecureRandom());
        Database database =
                Database.open(config.storage().database(), config.storage().connections());
        try {
            database.migrate(pace.database());
            SignatureProvider provider = signatures.join();
            Sql sql = database.sql(new SqlSpans(observe.tracer(), engineOf(database)));
            SharedState shared = SharedState.open(
                    config.storage().redis(), sql, new DerivedKeys(secret), observe, clock, pace.nanoTime());
            try {
                return new Authority(
                        config, observe, database, sql, shared, secret, provider, gate, history, responses, clock);
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
        explain.mount(router);
    }

    PoolSource database() {
        return new PoolSource() {
            @Override
            public int idle() {
                return database.poolState().idle();
            }

            @Override
            public int active() {
                return database.poolState().active();
            }

            @Override
            public int waiting() {
                return database.poolState().waiting();
            }
        };
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
        shared.close();
        database.close();
    }

    private static void sweep(
            SessionManager manager, Upkeep upkeep, RefusedResponses responses, Observability observe) {
        responses.sweep();
        try {
            manager.sweep();
            upkeep.run();
        } catch (RuntimeException e) {
            observe.logger().warn("expired entries could not be removed; the next sweep tries again", e);
        }
    }

    private static void refreshDecoys(PasskeyService passkeys, Observability observe) {
        try {
            passkeys.refreshDecoys();
        } catch (RuntimeException e) {
            observe.logger().warn("the shapes of decoys could not be refreshed; the next sweep tries again", e);
        }
    }
}
