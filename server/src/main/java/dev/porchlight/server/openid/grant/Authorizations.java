// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.grant;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.auth.Grant;
import dev.porchlight.server.auth.Grants;
import dev.porchlight.server.auth.Session;
import dev.porchlight.server.crypto.Sealer;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.ClientSettings.Profile;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.client.Groups;
import dev.porchlight.server.openid.grant.AuthorizationRows.Held;
import dev.porchlight.server.openid.grant.AuthorizationRows.Row;
import dev.porchlight.server.openid.grant.AuthorizationTokens.TokenStep;
import dev.porchlight.server.openid.protocol.Refusal;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Authorizations, one row each in the table {@code porchlight_openid_authorization}, always in the database. The row counts the steps:
 * at step 0 its code can be redeemed, at step n its nth refresh token. Each step is one conditional update, so of all instances
 * one wins. Thread-safe.
 *
 * <p>Codes and refresh tokens are the row's id and step with a MAC. The database holds nothing that can be presented, and a
 * token of an earlier step is recognized as a replay, which a forged one is not.
 */
public final class Authorizations {
    static final Duration CODE_LIFETIME = Duration.ofSeconds(60);
    /** Clients may retry after 30 seconds, as the conformance suite does; the rest is for the requests themselves. */
    private static final Duration RETRY = Duration.ofSeconds(45);

    private static final String FIND_ACCESS = "SELECT " + AuthorizationRows.COLUMNS + ", " + Clients.COLUMNS + ", "
            + SqlUsers.DISPLAY_NAME + AuthorizationRows.FROM_WITH_CLIENT
            + " AND EXISTS (SELECT 1 FROM porchlight_signing_key WHERE kid = ?)";
    private static final int DISPLAY_NAME = 14;

    private final InstantSource clock;
    private final SecureRandom random;
    final Sql sql;
    final Grants grants;
    final AuthorizationTokens tokens;
    final AuthorizationRows rows;

    /** The keys are for the MACs of codes and refresh tokens, the one in use first. */
    public Authorizations(
            Sql sql, Sealer sealer, List<byte[]> tokenKeys, Grants grants, InstantSource clock, SecureRandom random) {
        this.sql = sql;
        this.tokens = new AuthorizationTokens(tokenKeys);
        this.rows = new AuthorizationRows(sealer, tokens);
        this.grants = grants;
        this.clock = clock;
        this.random = random;
    }

    /**
     * The result of redeeming a code or a refresh token.
     *
     * @param refusal why it was refused, or null
     * @param client as it was then
     * @param refreshToken the next refresh token
     */
    public record Redemption(
            @Nullable Refusal refusal,
            @Nullable Authorization authorization,
            @Nullable Client client,
            String refreshToken) {
        private static Redemption refused(Refusal refusal, @Nullable Authorization authorization) {
            return new Redemption(refusal, authorization, null, "");
        }
    }

    /**
     * Adds an authorization and returns its code, within a transaction of the caller, who has checked that the sign-in is valid.
     *
     * @param client with the settings that allowed it
     * @param grant of the session, with the generation of the user's access
     */
    public String add(Connection connection, Client client, CodeRequest request, Session session, Grant grant)
            throws SQLException {
        var authorization = new Authorization(
                newId(),
                client.id(),
                client.generation(),
                session.handle(),
                SqlUsers.subject(connection, session.userId()),
                grant,
                session.methods(),
                request,
                0);
        rows.add(connection, authorization, 0, clock.millis() + CODE_LIFETIME.toMillis());
        return tokens.of(authorization.id(), 0);
    }

    String newId() {
        return Bytes.random(random, 16).base64Url();
    }

    /**
     * The authorization of a refresh token, or null.
     *
     * @param used whether tokens that were redeemed count too: only a client that was authenticated may end a sign-in with one
     */
    public @Nullable Authorization ofRefreshToken(String refreshToken, boolean used) {
        TokenStep genuine = tokens.read(refreshToken);
        if (genuine == null || genuine.step() == 0) {
            return null;
        }
        Row row = rows.find(sql, genuine.id());
        return row == null || !used && row.step() != genuine.step() ? null : row.authorization();
    }

    /** Opens the authorization of a code or refresh token without using it up; null if the token is not genuine. */
    public @Nullable Authorization peek(String token) {
        TokenStep genuine = tokens.read(token);
        Row row = genuine == null ? null : rows.find(sql, genuine.id());
        return row == null ? null : row.authorization();
    }

    /**
     * The claims of an access token with a valid signature.
     *
     * @param thumbprint of the key that the token is bound to, or null
     */
    public record AccessClaims(
            String keyId,
            String authorization,
            String subject,
            Instant expiresAt,
            @Nullable String thumbprint) {}

    /**
     * What an access token grants.
     *
     * @param displayName of the user, or null
     * @param thumbprint of the key that the token is bound to, or null
     */
    public record AccessGrant(
            Authorization authorization,
            Client client,
            @Nullable String displayName,
            @Nullable String thumbprint) {}

    /**
     * What an access token grants; null if there is none, or its sign-in has ended. Nothing that ends access is cached: the
     * signing key, the authorization and the client are read in one query, the passkey and its user in another.
     */
    public @Nullable AccessGrant access(@Nullable AccessClaims token) {
        if (token == null) {
            return null;
        }
        String subject = token.subject();
        List<Optional<AccessGrant>> stored = sql.query(
                FIND_ACCESS, row -> readAccess(row, token), subject, subject, token.authorization(), token.keyId());
        AccessGrant found = stored.isEmpty() ? null : stored.get(0).orElse(null);
        return found != null && grants.isValid(found.authorization().grant()) ? found : null;
    }

    private Optional<AccessGrant> readAccess(ResultSet row, AccessClaims token) throws SQLException {
        Row stored = rows.read(row).row();
        return stored == null || stored.expiresAt() <= clock.millis()
                ? Optional.empty()
                : Optional.of(new AccessGrant(
                        stored.authorization(),
                        Clients.read(row, AuthorizationRows.FIRST_OF_CLIENT),
                        row.getString(DISPLAY_NAME),
                        token.thumbprint()));
    }

    /** Whether this is a code or refresh token of this service, which strangers cannot create. */
    public boolean isGenuine(String token) {
        return tokens.read(token) != null;
    }

    /** What a request needs to redeem an authorization. */
    @FunctionalInterface
    public interface Entitlement {
        /** Why the request is not entitled to an authorization of a client, or null. */
        @Nullable
        Refusal refusal(Authorization authorization, Client client) throws SQLException;
    }

    /**
     * Uses up a code or a refresh token, within a transaction of the caller. A token of an earlier step was used before: then
     * the whole authorization ends. A caller who is not entitled to it is refused and ends nothing: codes are in logs, and who
     * finds one must not sign its user out.
     *
     * @param thumbprint the key that the client proved to have, which its tokens are bound to from then on; or null
     * @param mismatch what the request needs beside the token; asked within the transaction
     */
    public Redemption redeem(
            Connection connection, String token, TokenKind kind, @Nullable String thumbprint, Entitlement mismatch)
            throws SQLException {
        TokenStep genuine = tokens.read(token);
        boolean code = kind == TokenKind.CODE;
        if (genuine == null || code != (genuine.step() == 0)) {
            return Redemption.refused(kind.invalid("another text"), null);
        }
        Held held = rows.findWithClient(connection, genuine.id());
        Row row = held == null ? null : held.row();
        if (held == null || row == null) {
            return Redemption.refused(kind.invalid("one of a sign-in that has ended"), null);
        }
        Authorization authorization = row.authorization();
        Client client = held.client();
        Refusal refusal = mismatch.refusal(authorization, client);
        if (refusal != null) {
            return Redemption.refused(refusal, authorization);
        }
        Refusal changed = authorization.refusal(client);
        Refusal ended = changed == null
                ? Groups.refusal(connection, client, authorization.userId(), Reason.LEFT_GROUP)
                : changed;
        if (ended != null) {
            AuthorizationRows.remove(connection, genuine.id());
            return Redemption.refused(ended, authorization);
        }
        if (!authorization.grant().isValid(connection)) {
            AuthorizationRows.remove(connection, genuine.id());
            return Redemption.refused(kind.accessEnded(), authorization);
        }
        Redemption redeemed = advance(connection, row, client, genuine, kind, thumbprint);
        if (redeemed != null) {
            return redeemed;
        }
        // Read again, now that the user is locked: another instance may have redeemed a copy in between.
        row = rows.find(connection, genuine.id());
        if (row == null || row.step() <= genuine.step()) {
            String found = row == null ? "one of a sign-in that has ended" : "an expired one";
            return Redemption.refused(kind.invalid(found), authorization);
        }
        redeemed = advance(connection, row, client, genuine, kind, thumbprint);
        if (redeemed == null) {
            AuthorizationRows.remove(connection, genuine.id());
            return Redemption.refused(kind.used(), authorization);
        }
        return redeemed;
    }

    /** Moves a row one step further; null if it is no longer at the step of the token, or the token has expired. */
    private @Nullable Redemption advance(
            Connection connection,
            Row row,
            Client client,
            TokenStep genuine,
            TokenKind kind,
            @Nullable String thumbprint)
            throws SQLException {
        Authorization authorization = row.authorization();
        boolean code = kind == TokenKind.CODE;
        long now = clock.millis();
        // The first refresh decides how long all of them last: a sign-in is not prolonged forever.
        long expiresAt = code ? now + client.settings().refreshLifetime().toMillis() : row.expiresAt();
        // A client that lost a response repeats the refresh. A second time its token is two steps old, and a replay.
        boolean retries = !code
                && row.step() == genuine.step() + 1
                && client.settings().rules().profile() == Profile.FAPI2
                && authorization.redeemedAt() + RETRY.toMillis() > now;
        int step = retries ? row.step() : genuine.step();
        boolean binds = code || authorization.request().dpopThumbprint() != null;
        Authorization bound = authorization.redeemed(now, binds ? thumbprint : null);
        return rows.advance(connection, bound, step, expiresAt, now)
                ? new Redemption(null, bound, client, tokens.of(genuine.id(), step + 1))
                : null;
    }

    /** Ends an authorization, with its refresh and access tokens. */
    public void end(String id) {
        sql.update(AuthorizationRows.REMOVE, id);
    }

    /** Ends the authorizations of a client, within a transaction of the caller. */
    public static void endClient(Connection connection, String clientId) throws SQLException {
        Sql.update(connection, AuthorizationRows.END + "client_id = ?", clientId);
    }

    /** Ends all authorizations, with their refresh and access tokens, within a transaction of the caller. */
    public static int endAll(Connection connection) throws SQLException {
        return Sql.update(connection, "DELETE FROM porchlight_openid_authorization");
    }
}
