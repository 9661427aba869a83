// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.auth.Grants;
import dev.porchlight.server.auth.Sealer;
import dev.porchlight.server.auth.SecretRotation;
import dev.porchlight.server.auth.Sessions;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.http.Handler;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.authorize.ApplicationRoutes;
import dev.porchlight.server.openid.authorize.AuthorizationRequests;
import dev.porchlight.server.openid.authorize.AuthorizationResponses;
import dev.porchlight.server.openid.authorize.AuthorizeRoutes;
import dev.porchlight.server.openid.authorize.CodeIssuer;
import dev.porchlight.server.openid.authorize.ContinueRoutes;
import dev.porchlight.server.openid.client.ClientAdministration;
import dev.porchlight.server.openid.client.ClientAuthenticator;
import dev.porchlight.server.openid.client.ClientCors;
import dev.porchlight.server.openid.client.ClientEndpoints;
import dev.porchlight.server.openid.client.ClientRoutes;
import dev.porchlight.server.openid.client.ClientSettings;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.client.Groups;
import dev.porchlight.server.openid.client.OpenIdSwitch;
import dev.porchlight.server.openid.grant.AccessGrants;
import dev.porchlight.server.openid.grant.AuthorizationEnds;
import dev.porchlight.server.openid.grant.Authorizations;
import dev.porchlight.server.openid.logout.LogoutRoutes;
import dev.porchlight.server.openid.logout.Logouts;
import dev.porchlight.server.openid.protocol.Html;
import dev.porchlight.server.openid.protocol.OpenIdTelemetry;
import dev.porchlight.server.openid.token.DpopProofs;
import dev.porchlight.server.openid.token.OpenIdKeys;
import dev.porchlight.server.openid.token.OpenIdTokens;
import dev.porchlight.server.openid.token.TokenRoutes;
import dev.porchlight.server.openid.token.UserinfoRoutes;
import dev.porchlight.server.routes.Callers;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.web.Branding;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;

/** The OpenID Provider: wires its packages and mounts their routes. */
public final class OpenIdModule {
    private final String issuer;
    private final Sql sql;
    private final Units units;
    private final CeremonyHistory history;
    private final InstantSource clock;
    private final Sealer sealer;
    private final Clients clients;
    private final Groups groups;
    private final Authorizations authorizations;
    private final AuthorizationEnds ends;
    private final OpenIdTokens tokens;
    private final OpenIdTelemetry telemetry;
    private final Logouts logouts;

    /**
     * A provider.
     *
     * @param issuer the origin of the service
     * @param tokenLifetime of access and ID tokens
     */
    public OpenIdModule(
            String issuer,
            Duration tokenLifetime,
            Sql sql,
            Units units,
            SecretRotation secrets,
            Grants grants,
            Sessions sessions,
            OpenIdKeys keys,
            Observability observe,
            AuditLog audit,
            Pseudonyms pseudonyms,
            CeremonyHistory history,
            InstantSource clock) {
        SecureRandom random = new SecureRandom();
        this.issuer = issuer;
        this.sql = sql;
        this.units = units;
        this.history = history;
        this.clock = clock;
        this.sealer = new Sealer(secrets.forPurpose("seal openid requests and grants"), random);
        this.clients = new Clients(sql, clock, random);
        this.groups = new Groups(sql);
        this.authorizations = new Authorizations(
                sql, sealer, secrets.forPurpose("openid codes and refresh tokens"), grants, clock, random);
        this.ends = new AuthorizationEnds(authorizations);
        this.tokens = new OpenIdTokens(keys, issuer, tokenLifetime, clock);
        this.telemetry = new OpenIdTelemetry(observe.metrics(), audit, pseudonyms, history, clock);
        this.logouts = new Logouts(sessions, audit, clients, groups, ends, tokens, observe, sql, clock);
    }

    /** Ends what clients got from sign-ins that have ended. The caller closes it. */
    public Logouts logouts() {
        return logouts;
    }

    /**
     * Mounts the routes for browsers and clients.
     *
     * @param notFound handles requests for unknown paths
     */
    public void mount(Router.Builder router, Branding branding, Callers callers, Handler notFound) {
        var openId = new OpenIdSwitch(clients, notFound);
        var cors = new ClientCors(openId, clients);
        var proofs = new DpopProofs(issuer, sql, clock);
        var audiences = Set.of(issuer, issuer + "/oauth2/token", issuer + "/oauth2/par", issuer + "/oauth2/revoke");
        var authenticator = new ClientAuthenticator(clients, sql, audiences, clock);
        var endpoints = new ClientEndpoints(openId, authenticator, cors, telemetry);
        var html = new Html(branding);
        new DiscoveryRoutes(openId, issuer).mount(router);
        var requests = new AuthorizationRequests(clients, tokens, sealer, sql, clock);
        var responses = new AuthorizationResponses(issuer, html);
        new AuthorizeRoutes(openId, requests, responses, endpoints, proofs, telemetry).mount(router);
        var codes = new CodeIssuer(authorizations, ends, sql, logouts, units, clock);
        new ContinueRoutes(openId, clients, requests, responses, codes, groups, callers, telemetry, clock)
                .mount(router);
        var access = new AccessGrants(authorizations);
        new TokenRoutes(endpoints, authorizations, tokens, access, proofs, groups, units).mount(router);
        new UserinfoRoutes(openId, cors, tokens, access, proofs, groups, telemetry).mount(router);
        new LogoutRoutes(openId, clients, tokens, callers, logouts, sealer, telemetry, clock, html).mount(router);
    }

    /** Mounts the routes for the account page. */
    public void mountAccount(Router.Builder router) {
        new ApplicationRoutes(clients, sql, ends, units, logouts).mount(router);
    }

    /**
     * Mounts the routes for operators.
     *
     * @param operator the label of their credential in audit rows
     * @param ownAudience the audience of the service's own tokens
     */
    public void mountAdministration(Router.Builder router, String operator, String ownAudience) {
        var administration = new ClientAdministration(units, clients, operator, clock);
        new ClientRoutes(
                        clients,
                        groups,
                        administration,
                        new AuditStore(sql),
                        history,
                        issuer,
                        ownAudience,
                        logouts::becameStricter)
                .mount(router);
    }

    /** What the console's forms for clients and groups need to know, by the names in its page. */
    public static Map<String, String> formRules() {
        return Map.of(
                "clientIdPattern", Clients.ID.pattern(),
                "groupPattern", Groups.NAME.pattern(),
                "sessionSeconds", Long.toString(ClientSettings.DEFAULT_REFRESH_LIFETIME.toSeconds()));
    }
}
