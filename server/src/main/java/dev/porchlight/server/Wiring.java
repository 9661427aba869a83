// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.http.TelemetryEndpoints;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.observe.page.StateSampler;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.PasskeyServiceBuilder;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.SqlPasskeyShapes;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.audit.AuditWatch;
import dev.porchlight.server.auth.Ceremonies;
import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.auth.Grants;
import dev.porchlight.server.auth.Sessions;
import dev.porchlight.server.auth.StableKeys.Purpose;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.crypto.SignatureProvider;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.history.ErasedUserSweep;
import dev.porchlight.server.http.EventStreams;
import dev.porchlight.server.http.ProblemPages;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.OpenIdModule;
import dev.porchlight.server.openid.logout.Logouts;
import dev.porchlight.server.operator.console.CeremonySamples;
import dev.porchlight.server.operator.console.ConsoleRoutes;
import dev.porchlight.server.operator.explain.CeremonySearch;
import dev.porchlight.server.operator.explain.ExplainRoutes;
import dev.porchlight.server.operator.explain.Explainer;
import dev.porchlight.server.routes.AdminGate;
import dev.porchlight.server.routes.AuditRoutes;
import dev.porchlight.server.routes.Callers;
import dev.porchlight.server.routes.CeremonyRoutes;
import dev.porchlight.server.routes.DocumentRoutes;
import dev.porchlight.server.routes.ProbeRoutes;
import dev.porchlight.server.routes.ReportRoutes;
import dev.porchlight.server.routes.SessionCookie;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.storage.UserAccess;
import dev.porchlight.server.telemetry.BrowserReports;
import dev.porchlight.server.telemetry.CeremonyTelemetry;
import dev.porchlight.server.telemetry.Liveness;
import dev.porchlight.server.telemetry.Readiness;
import dev.porchlight.server.telemetry.RedisTelemetry;
import dev.porchlight.server.telemetry.SqlTelemetry;
import dev.porchlight.server.telemetry.UnreadableRows;
import dev.porchlight.server.tls.TlsRenewal;
import dev.porchlight.server.token.Jwts;
import dev.porchlight.server.token.KeyRing;
import dev.porchlight.server.token.Tokens;
import dev.porchlight.server.web.Branding;
import dev.porchlight.server.web.Languages;
import dev.porchlight.server.web.WebPages;
import dev.porchlight.server.wiring.DirectoryModule;
import dev.porchlight.server.wiring.Housekeeping;
import dev.porchlight.server.wiring.MetadataModule;
import dev.porchlight.server.wiring.OutboxModule;
import dev.porchlight.server.wiring.Parts;
import dev.porchlight.server.wiring.PeriodicTask;
import dev.porchlight.server.wiring.StorageModule;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Wires the service, from storage to HTTP. Parts start in the order of this constructor and close in reverse. */
final class Wiring {
    private static final Duration SWEEP = Duration.ofSeconds(30);
    private static final Duration DEADLOCK_CHECK = Duration.ofSeconds(10);
    private static final Duration CERTIFICATE_CHECK = Duration.ofMinutes(1);
    private static final int MAX_CONSOLES = 16;

    /** The open consoles. */
    final EventStreams consoles = new EventStreams(MAX_CONSOLES);

    final HttpModule http;
    final @Nullable TlsRenewal renewal;

    Wiring(Config config, Observability observe, Parts parts, Timing timing, Consumer<Router.Builder> more)
            throws IOException {
        Clock clock = timing.clock();
        PasskeyConfig party = config.relyingParty();
        Logger logger = observe.logger();
        // Starts early: the provider unpacks and tests itself while the database opens.
        CompletableFuture<SignatureProvider> choosing = CompletableFuture.supplyAsync(SignatureProvider::choose);

        // Storage
        SqlTelemetry statements = new SqlTelemetry(
                observe, config.get(Settings.DATABASE_URL).engine().otelName());
        StorageModule storage = new StorageModule(
                parts, config, config.get(Settings.DATABASE_CONNECTIONS), clock, timing.databaseStart(), statements);
        Database database = storage.database();
        Sql sql = storage.sql();
        observe.automatic().pool(database::poolState);
        RedisTelemetry.register(observe, storage.redis(), config.get(Settings.REDIS_URL));
        AuditWatch auditWatch = new AuditWatch(storage.auditGuard(), logger, System::nanoTime);
        parts.add(() -> auditWatch.run(true));
        Units units = storage.units();
        parts.add(units::close);
        AuditLog audit = units.audit();

        // Passkeys
        SignatureProvider signatures = choosing.join();
        CeremonyHistory history = storage.history();
        parts.add(history::flush);
        Pseudonyms pseudonyms = storage.pseudonyms();
        CeremonyTelemetry telemetry = new CeremonyTelemetry(observe, pseudonyms, history, clock);
        CredentialStore credentials =
                database.passkeys(party.maxPasskeysPerUser(), new UnreadableRows(observe, pseudonyms), statements);
        MetadataModule metadata = new MetadataModule(config, clock, logger::warn);
        metadata.register(observe.metrics());
        metadata.restore();
        List<byte[]> challengeKeys = storage.challengeKeys();
        PasskeyServiceBuilder builder = PasskeyService.builder(party, database.dataSource())
                .sealedChallenges(
                        challengeKeys.get(0),
                        challengeKeys.subList(1, challengeKeys.size()).toArray(byte[][]::new))
                .credentialStore(credentials)
                .passkeyShapes(new SqlPasskeyShapes(database.sql()))
                .clock(clock)
                .authenticators(metadata.authenticators())
                .userHandleKey(storage.keys().of(Purpose.USER_HANDLES))
                .decoyKey(storage.keys().of(Purpose.DECOY_CREDENTIALS));
        signatures.provider().ifPresent(builder::provider);
        PasskeyService passkeys = builder.build();
        parts.add(passkeys::close);

        // Sessions, tokens and users
        KeyRing keyRing = storage.keyRing();
        keyRing.createMissing();
        Jwts jwts = new Jwts(keyRing, signatures.provider().orElse(null));
        Tokens tokens = new Tokens(jwts, party.origin(), party.rpId(), config.get(Settings.TOKEN_TTL_SECONDS), clock);
        Sessions sessions = storage.sessions();
        Enrollments enrollments = storage.enrollments();
        Grants grants = new Grants(database.sql(statements), database.passkeyAccess(statements));
        boolean opensSessions = config.get(Settings.LOGIN_RESULT).session();
        TakenNames names = storage.names();

        // OpenID Connect
        OpenIdModule openId = new OpenIdModule(config, storage, units, grants, jwts, observe, history, clock);
        Logouts logouts = openId.logouts();
        sessions.onEnded(logouts::sessionEnded, logouts::sessionEnds);
        parts.add(logouts::close);

        Ceremonies ceremonies =
                new Ceremonies(units, sessions, names, metadata.authenticators(), storage.notices(), opensSessions);
        DirectoryModule directory =
                new DirectoryModule(storage, units, OpenIdModule.departure(storage), logouts::accessEnded);

        // Readiness, advice and housekeeping
        if (config.get(Settings.SESSION_SECRET_PREVIOUS).isPresent()) {
            logger.info(
                    "SESSION_SECRET_PREVIOUS is accepted; unset it when the rotation is over",
                    Fields.of("resealedKeys", keyRing.reseal()));
        }
        auditWatch.run(false);
        auditWatch.register(observe.metrics(), audit);
        Readiness.register(observe, database, keyRing, audit, auditWatch::notReady, signatures);
        config.warnings().forEach(logger::warn);
        storage.advice().forEach(logger::warn);
        Languages languages = Languages.with(config.get(Settings.TEXTS_DIR));
        languages.faults().forEach(fault -> logger.warn("TEXTS_DIR: " + fault));
        OutboxModule outbox = new OutboxModule(config, storage, languages, observe, clock);
        parts.add(outbox);
        ErasedUserSweep erasedUsers = new ErasedUserSweep(storage.erasedUsers(), database, history, clock);
        Housekeeping housekeeping = new Housekeeping(
                logger,
                passkeys,
                List.of(
                        units::flush,
                        erasedUsers::run,
                        history::sweep,
                        storage.sweeper(),
                        outbox::sweep,
                        logouts::sweep));
        parts.add(new PeriodicTask("porchlight-housekeeping", SWEEP, housekeeping::refreshDecoys, () -> {
            housekeeping.removeExpired();
            auditWatch.run(false);
            housekeeping.refreshDecoys();
        }));
        parts.add(new PeriodicTask("porchlight-refusals", timing.refusalWrites(), history::flush));

        // Callers
        SessionCookie cookie = new SessionCookie(config.https());
        AdminGate gate = directory.gate(cookie);
        Duration recentLogin = config.get(Settings.RECENT_LOGIN_SECONDS);
        Callers callers = new Callers(
                tokens, keyRing, grants, sessions, enrollments, cookie, gate, recentLogin, clock, telemetry::refused);
        Router.Builder routes = Router.builder(callers);
        Router.Builder management = config.get(Settings.MANAGEMENT_PORT).isPresent() ? Router.builder(callers) : routes;

        // Routes for operators
        StateSampler sampler = observe.sampler(
                clock,
                timing.sampling(),
                new CeremonySamples(observe.metrics(), history::revision),
                sample -> consoles.send("sample", sample));
        // A loopback address alone is not enough: a proxy on this machine may forward requests.
        boolean details = management != routes || config.loopback() && config.local();
        new ProbeRoutes(new TelemetryEndpoints(
                        observe.metrics(), observe.health(), observe.profiler(), details, timing.scrapeReuse()))
                .mount(management);
        var search = new CeremonySearch(
                history,
                sql,
                storage.erasedUsers(),
                enrollments,
                openId.clients(),
                user -> passkeys.passkeys(user),
                clock);
        new ConsoleRoutes(search, sampler, consoles, party, callers::isCurrent).mount(management);
        directory.mountAdministration(management, passkeys, erasedUsers::run);
        outbox.mount(management, units);
        new AuditRoutes(new AuditStore(sql)).mount(management);
        Explainer explainer = new Explainer(
                party, credentials, clock, user -> UserAccess.read(sql, user).locked(), passkeys.authenticators());
        new ExplainRoutes(passkeys, explainer, history, sql, units).mount(management);
        openId.mountAdministration(management);

        // Routes for users
        List<String> pageOrigins = pageOrigins(party);
        BrowserReports reports = new BrowserReports(observe.metrics(), history, party);
        new CeremonyRoutes(config, passkeys, ceremonies, telemetry, callers, enrollments, names, sql, tokens, cookie)
                .mount(routes);
        new ReportRoutes(reports, passkeys::isIssued, clock).mount(routes);
        directory.mountAccount(routes, callers, passkeys, cookie, telemetry);
        openId.mountAccount(routes);
        Branding branding = new Branding(
                party.rpName(),
                config.get(Settings.RP_LOGO),
                config.get(Settings.RP_COLOR),
                languages,
                config.get(Settings.SUPPORT_URL),
                config.get(Settings.PRIVACY_URL));
        new DocumentRoutes(config, pageOrigins, keyRing, List.of(routes, management)).mount(routes);
        WebPages pages = new WebPages(config, branding, pageOrigins, cookie::isPresent);
        pages.mount(routes);
        if (opensSessions) {
            openId.mount(routes, branding, callers, pages::notFound);
        }
        pages.mountAssets(routes);
        pages.mountConsole(management, OpenIdModule.formRules());
        if (management != routes) {
            pages.mountAssets(management);
        }
        more.accept(routes);

        // HTTP
        http = new HttpModule(
                config,
                observe,
                routes.build(),
                management.build(),
                gate,
                cookie,
                pageOrigins,
                opensSessions ? openId.outagePages(branding) : ProblemPages.NONE,
                storage.limits(timing.nanoTime()));
        parts.add(http);
        Liveness liveness = new Liveness();
        liveness.register(observe.health(), http.server());

        // Background tasks, while the HTTP server runs
        parts.add(new PeriodicTask("porchlight-console", timing.sampling(), sampler, sampler));
        metadata.refreshing().ifPresent(parts::add);
        parts.add(new PeriodicTask("porchlight-deadlock-watch", DEADLOCK_CHECK, liveness::findDeadlocks));
        renewal = config.tls()
                .map(files -> new TlsRenewal(files, http.server()::reloadTls, logger))
                .orElse(null);
        if (renewal != null) {
            parts.add(new PeriodicTask("porchlight-tls-renewal", CERTIFICATE_CHECK, renewal::check));
        }
    }

    /** Returns the origins whose pages may call the auth routes. Related origins may be apps, which have no pages. */
    private static List<String> pageOrigins(PasskeyConfig party) {
        return Stream.concat(
                        Stream.of(party.origin()),
                        party.relatedOrigins().stream().sorted())
                .filter(origin -> origin.startsWith("http"))
                .distinct()
                .toList();
    }
}
