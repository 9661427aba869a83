// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.auth.Ceremonies;
import dev.porchlight.server.auth.Enrolments;
import dev.porchlight.server.auth.Grants;
import dev.porchlight.server.auth.Removals;
import dev.porchlight.server.auth.Sessions;
import dev.porchlight.server.auth.UserAdministration;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.telemetry.BrowserReports;
import dev.porchlight.server.telemetry.CeremonyTelemetry;
import dev.porchlight.server.token.KeyRing;
import dev.porchlight.server.token.Tokens;
import java.time.InstantSource;

/** All routes by which users and administrators are served, over what they stand on. */
public final class AuthRoutes {
    private final Config config;
    private final PasskeyService passkeys;
    private final Tokens tokens;
    private final KeyRing keys;
    private final Grants grants;
    private final Sessions sessions;
    private final Ceremonies ceremonies;
    private final Removals removals;
    private final UserAdministration users;
    private final Enrolments enrolments;
    private final AuditLog audit;
    private final CeremonyTelemetry telemetry;
    private final BrowserReports reports;
    private final InstantSource clock;
    private final Sql sql;

    public AuthRoutes(
            Config config,
            PasskeyService passkeys,
            Tokens tokens,
            KeyRing keys,
            Grants grants,
            Sessions sessions,
            Ceremonies ceremonies,
            Removals removals,
            UserAdministration users,
            Enrolments enrolments,
            AuditLog audit,
            CeremonyTelemetry telemetry,
            BrowserReports reports,
            InstantSource clock,
            Sql sql) {
        this.config = config;
        this.passkeys = passkeys;
        this.tokens = tokens;
        this.keys = keys;
        this.grants = grants;
        this.sessions = sessions;
        this.ceremonies = ceremonies;
        this.removals = removals;
        this.users = users;
        this.enrolments = enrolments;
        this.audit = audit;
        this.telemetry = telemetry;
        this.reports = reports;
        this.clock = clock;
        this.sql = sql;
    }

    public void mount(Router.Builder router) {
        var cookie = new SessionCookie(config.https());
        var callers = new Callers(
                tokens, keys, grants, sessions, enrolments, cookie, config.get(Settings.RECENT_LOGIN_SECONDS), clock);
        var party = config.relyingParty();
        new RegistrationRoutes(passkeys, ceremonies, callers, telemetry, party.maxPasskeysPerUser(), sql).mount(router);
        new LoginRoutes(passkeys, tokens, ceremonies, cookie, config, telemetry).mount(router);
        new ReportRoutes(reports, passkeys::isIssued, clock).mount(router);
        new SignupRoutes(enrolments, sql, config.get(Settings.SIGNUP)).mount(router);
        new CredentialRoutes(passkeys, party, removals, audit, callers, sql).mount(router);
        new SessionRoutes(sessions, cookie, audit, callers, users).mount(router);
        new DocumentRoutes(party, keys).mount(router);
    }

    /** The routes that need the admin token. */
    public void mountForOperators(Router.Builder router) {
        new AdminRoutes(enrolments, users, sql, audit, config.relyingParty().origin()).mount(router);
    }
}
