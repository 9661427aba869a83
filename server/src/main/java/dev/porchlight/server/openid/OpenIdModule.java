// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.observe.Observability;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.auth.Grants;
import dev.porchlight.server.auth.GroupAdministration;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.crypto.Sealer;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.http.Handler;
import dev.porchlight.server.http.ProblemPages;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.authorize.ApplicationRoutes;
import dev.porchlight.server.openid.authorize.AuthorizationRequests;
import dev.porchlight.server.openid.authorize.AuthorizeRoutes;
import dev.porchlight.server.openid.authorize.CodeIssuer;
import dev.porchlight.server.openid.authorize.ContinueRoutes;
import dev.porchlight.server.openid.authorize.SealedRequests;
import dev.porchlight.server.openid.client.ClientAdministration;
import dev.porchlight.server.openid.client.ClientAuthenticator;
import dev.porchlight.server.openid.client.ClientEndpoints;
import dev.porchlight.server.openid.client.ClientRoutes;
import dev.porchlight.server.openid.client.ClientSettings;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.client.Groups;
import dev.porchlight.server.openid.grant.AuthorizationEnds;
import dev.porchlight.server.openid.grant.Authorizations;
import dev.porchlight.server.openid.logout.LogoutRoutes;
import dev.porchlight.server.openid.logout.Logouts;
import dev.porchlight.server.openid.protocol.Html;
import dev.porchlight.server.openid.protocol.OpenIdTelemetry;
import dev.porchlight.server.openid.protocol.OutagePages;
import dev.porchlight.server.openid.token.DpopProofs;
import dev.porchlight.server.openid.token.OpenIdTokens;
import dev.porchlight.server.openid.token.TokenRoutes;
import dev.porchlight.server.openid.token.UserClaims;
import dev.porchlight.server.openid.token.UserinfoRoutes;
import dev.porchlight.server.routes.Callers;
import dev.porchlight.server.storage.PasskeyAccess;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.storage.UserGroups;
import dev.porchlight.server.token.Jwts;
import dev.porchlight.server.web.Branding;
import dev.porchlight.server.wiring.StorageModule;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** The OpenID Provider: wires its packages and mounts their routes. */
public final class OpenIdModule {
    private final PasskeyConfig relyingParty;
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

    /** A provider whose issuer is the origin of the service. */
    public OpenIdModule(
            Config config,
            StorageModule storage,
            Units units,
            Grants grants,
            Jwts jwts,
            Observability observe,
            CeremonyHistory history,
            InstantSource clock) {
        AuditLog audit = units.audit();
        this.relyingParty = config.relyingParty();
        this.issuer = relyingParty.origin();
        this.sql = storage.sql();
        this.units = units;
        this.history = history;
        this.clock = clock;
        this.sealer = sealer(storage);
        this.clients = new Clients(sql, clock, new SecureRandom());
        this.groups = new Groups(sql);
        this.authorizations = authorizations(storage, sealer, grants, clock);
        this.ends = new AuthorizationEnds(authorizations);
        this.tokens = new OpenIdTokens(jwts, issuer, config.get(Settings.TOKEN_TTL_SECONDS), clock);
        this.telemetry = new OpenIdTelemetry(observe.metrics(), audit, storage.pseudonyms(), history, clock);
        this.logouts = new Logouts(storage.sessions(), audit, clients, groups, ends, tokens, observe, clock);
    }

    private static Sealer sealer(StorageModule storage) {
        return new Sealer(storage.secrets().allForPurpose("seal openid requests and grants"), new SecureRandom());
    }

    private static Authorizations authorizations(
            StorageModule storage, Sealer sealer, Grants grants, InstantSource clock) {
        List<byte[]> tokenKeys = storage.secrets().allForPurpose("openid codes and refresh tokens");
        return new Authorizations(storage.sql(), sealer, tokenKeys, grants, clock, new SecureRandom());
    }

    /**
     * Ends what clients got from sign-ins of a user who leaves a group. Also for commands: the running service notifies the
     * clients.
     */
    public static GroupAdministration.Departure departure(StorageModule storage) {
        Grants grants = new Grants(storage.sql(), passkey -> PasskeyAccess.read(storage.sql(), passkey));
        return new AuthorizationEnds(authorizations(storage, sealer(storage), grants, InstantSource.system()))
                ::leftGroup;
    }

    /** Ends what clients got from sign-ins that have ended. The caller closes it. */
    public Logouts logouts() {
        return logouts;
    }

    /** The registered clients. */
    public Clients clients() {
        return clients;
    }

    /** Mounts the routes for browsers and clients; {@code notFound} handles requests for unknown paths. */
    public void mount(Router.Builder router, Branding branding, Callers callers, Handler notFound) {
        var proofs = new DpopProofs(issuer, sql, clock);
        var authenticator = new ClientAuthenticator(clients, sql, issuer, clock);
        var endpoints = new ClientEndpoints(issuer, clients, authenticator, telemetry, new Html(branding), notFound);
        new DiscoveryRoutes(endpoints).mount(router);
        var sealed = new SealedRequests(sealer, sql, clock);
        var requests = new AuthorizationRequests(clients, tokens, sql, clock);
        new AuthorizeRoutes(endpoints, requests, sealed, proofs).mount(router);
        var codes = new CodeIssuer(authorizations, ends, sql, logouts, units, clock);
        new ContinueRoutes(endpoints, sealed, codes, groups, callers, clock).mount(router);
        var users = new UserClaims(sql);
        new TokenRoutes(endpoints, authorizations, tokens, proofs, users, units).mount(router);
        new UserinfoRoutes(endpoints, tokens, authorizations, proofs, groups, users).mount(router);
        new LogoutRoutes(endpoints, tokens, callers, logouts, sql, sealer, clock).mount(router);
    }

    /** Pages for people that an application sends here while the service is unavailable. */
    public ProblemPages outagePages(Branding branding) {
        return new OutagePages(new Html(branding), telemetry);
    }

    /** Mounts the routes for the account page. */
    public void mountAccount(Router.Builder router) {
        new ApplicationRoutes(clients, sql, ends, units, logouts, clock).mount(router);
    }

    /** Mounts the routes for operators. */
    public void mountAdministration(Router.Builder router) {
        var administration = new ClientAdministration(units, clients, Authorizations::endClient, clock);
        new ClientRoutes(
                        clients,
                        administration,
                        new AuditStore(sql),
                        history,
                        issuer,
                        relyingParty.rpId(),
                        logouts::becameStricter)
                .mount(router);
    }

    /** What the console's forms for clients and groups need to know, by the names in its page. */
    public static Map<String, String> formRules() {
        return Map.of(
                "clientIdPattern", Clients.ID.pattern(),
                "groupPattern", UserGroups.NAME.pattern(),
                "sessionSeconds", Long.toString(ClientSettings.DEFAULT_REFRESH_LIFETIME.toSeconds()));
    }
}
