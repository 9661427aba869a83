// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.auth.Sealer;
import dev.porchlight.server.auth.SecretRotation;
import dev.porchlight.server.history.SharedRefusals;
import dev.porchlight.server.http.Handler;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.OpenIdPorts.GrantChecks;
import dev.porchlight.server.openid.OpenIdPorts.SignedInUsers;
import dev.porchlight.server.openid.OpenIdPorts.UserSessions;
import dev.porchlight.server.openid.Refusal.Reason;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.web.Branding;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The OpenID Provider: wires this package and mounts its routes. */
public final class OpenIdModule implements AutoCloseable {
    private final Sql sql;
    private final InstantSource clock;
    private final Clients clients;
    private final Groups groups;
    private final Authorizations authorizations;
    private final AuthorizationEnds ends;
    private final OpenIdTokens tokens;
    private final BackChannelLogout backChannel;
    private final Sealer sealer;
    private final AuthorizationRequests requests;
    private final Consents consents;
    private final OpenIdTelemetry telemetry;
    private final SharedRefusals refusals;
    private final Units units;
    private final String issuer;
    private volatile String checkedUntil = "";

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
            GrantChecks grants,
            OpenIdKeys keys,
            Observability observe,
            AuditLog audit,
            Pseudonyms pseudonyms,
            SharedRefusals refusals,
            InstantSource clock) {
        SecureRandom random = new SecureRandom();
        this.sealer = new Sealer(secrets.forPurpose("seal openid requests and grants"), random);
        this.issuer = issuer;
        this.sql = sql;
        this.units = units;
        this.clock = clock;
        this.clients = new Clients(sql, clock, random);
        this.groups = new Groups(sql);
        this.consents = new Consents(sql);
        var codes = new AuthorizationTokens(secrets.forPurpose("openid codes and refresh tokens"));
        this.authorizations = new Authorizations(sql, sealer, codes, grants, clock, random);
        this.ends = new AuthorizationEnds(sql, authorizations, codes, grants);
        this.tokens = new OpenIdTokens(keys, issuer, tokenLifetime, clock);
        this.requests = new AuthorizationRequests(clients, tokens, sealer, sql, clock);
        this.refusals = refusals;
        this.telemetry = new OpenIdTelemetry(observe.metrics(), audit, pseudonyms, refusals, clock);
        this.backChannel =
                new BackChannelLogout(clients, tokens, observe.metrics(), observe.logger(), BackChannelLogout.TIMEOUT);
    }

    /**
     * Mounts the routes for browsers and clients.
     *
     * @param notFound handles requests for unknown paths
     */
    public void mount(
            Router.Builder router, Branding branding, SignedInUsers users, UserSessions sessions, Handler notFound) {
        var openId = new OpenIdSwitch(clients, notFound);
        ClientCors cors = new ClientCors(openId, clients);
        DpopProofs proofs = new DpopProofs(issuer, sql, clock);
        Set<String> audiences =
                Set.of(issuer, issuer + "/oauth2/token", issuer + "/oauth2/par", issuer + "/oauth2/revoke");
        ClientAuthenticator authenticator = new ClientAuthenticator(clients, sql, audiences, clock);
        new DiscoveryRoutes(openId, issuer).mount(router);
        Html html = new Html(branding);
        var responses = new AuthorizationResponses(issuer, html);
        new AuthorizeRoutes(openId, requests, responses, telemetry).mount(router);
        var codes = new CodeIssuer(
                authorizations, ends, consents, sessions, this::sessionEnded, this::report, units, clock);
        new ContinueRoutes(openId, clients, requests, responses, codes, groups, users, telemetry, clock).mount(router);
        var accessTokens = new AccessTokens(tokens, authorizations, sql);
        var tokenIssuer = new TokenIssuer(authorizations, tokens, proofs, groups, units);
        new TokenRoutes(
                        openId,
                        authenticator,
                        cors,
                        requests,
                        authorizations,
                        accessTokens,
                        tokenIssuer,
                        proofs,
                        telemetry,
                        issuer)
                .mount(router);
        new UserinfoRoutes(openId, cors, accessTokens, proofs, groups, telemetry).mount(router);
        new LogoutRoutes(openId, clients, tokens, users, sessions, this::sessionEnded, sealer, telemetry, clock, html)
                .mount(router);
    }

    /** Mounts the routes for the account page. */
    public void mountAccount(Router.Builder router, SignedInUsers users) {
        new ApplicationRoutes(clients, consents, ends, users, units, this::report).mount(router);
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
                        refusals,
                        issuer,
                        ownAudience,
                        this::becameStricter)
                .mount(router);
    }

    /** What the console's forms for clients and groups need to know, by the names in its page. */
    public static Map<String, String> formRules() {
        return Map.of(
                "clientIdPattern", Clients.ID.pattern(),
                "groupPattern", Groups.NAME.pattern(),
                "sessionSeconds", Long.toString(ClientSettings.DEFAULT_REFRESH_LIFETIME.toSeconds()));
    }

    /** Ends what clients got from a session that has ended, and notifies those that want it. */
    public void sessionEnded(String session) {
        if (!session.isEmpty() && clients.exist()) {
            report(ends.endSession(session));
        }
    }

    private void report(List<Authorization> ended) {
        if (!ended.isEmpty()) {
            backChannel.afterwards(() -> ended);
        }
    }

    /** Ends what clients got from a user's sign-ins that are no longer valid, and notifies those that want it. */
    public void accessEnded(String userId) {
        backChannel.afterwards(() -> clients.exist() ? ends.endInvalid(userId, this::allowed) : List.of());
    }

    /** Ends what a client got before its settings became stricter, and notifies it. */
    private void becameStricter(String clientId) {
        backChannel.afterwards(() -> ends.endInvalidOfClient(clientId, this::allowed));
    }

    /** Whether the present settings of a client allow an authorization, and the groups of its user. */
    private Predicate<Authorization> allowed() {
        Map<String, Client> present = clients.all().stream().collect(Collectors.toMap(Client::id, Function.identity()));
        return authorization -> {
            Client client = present.get(authorization.clientId());
            return client != null
                    && client.refusal(authorization) == null
                    && groups.refusal(client, authorization.userId(), Reason.LEFT_GROUP) == null;
        };
    }

    /** Removes expired rows, and in turn looks for sign-ins that ended elsewhere: at another instance, or by a command. */
    public void sweep() {
        if (!clients.exist()) {
            return;
        }
        long now = clock.millis();
        sql.update("DELETE FROM porchlight_openid_authorization WHERE expires_at < ?", now);
        sql.update("DELETE FROM porchlight_openid_used WHERE expires_at < ?", now);
        AuthorizationEnds.Checked checked = ends.endInvalidAfter(checkedUntil, this::allowed);
        checkedUntil = checked.last();
        report(checked.ended());
    }

    @Override
    public void close() {
        backChannel.close();
    }
}
