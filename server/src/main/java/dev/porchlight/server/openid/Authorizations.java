// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.auth.Sealer;
import dev.porchlight.server.crypto.KeyedHash;
import dev.porchlight.server.openid.OpenIdPorts.GrantChecks;
import dev.porchlight.server.openid.OpenIdPorts.SignedInUser;
import dev.porchlight.server.openid.Refusal.Reason;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Authorizations, one row each in the table {@code porchlight_openid_grant}, always in the database. The row counts the steps:
 * at step 0 its code can be redeemed, at step n its nth refresh token. Each step is one conditional update, so of all instances
 * one wins. Thread-safe.
 *
 * <p>Codes and refresh tokens are the row's id and step with a MAC. The database holds nothing that can be presented, and a
 * token of an earlier step is recognized as a replay, which a forged one is not.
 */
final class Authorizations {
    static final Duration CODE_LIFETIME = Duration.ofSeconds(60);

    private static final Pattern TOKEN = Pattern.compile("([A-Za-z0-9_-]{22})\\.(\\d{1,9})\\.([A-Za-z0-9_-]{43})");
    private static final String ADD = "INSERT INTO porchlight_openid_grant"
            + " (grant_id, client_id, session, owner, sealed, step, expires_at) VALUES (?, ?, ?, ?, ?, 0, ?)";
    private static final String FIND =
            "SELECT grant_id, client_id, session, sealed, step, expires_at FROM porchlight_openid_grant WHERE grant_id = ?";
    private static final String FIND_OWNED =
            "SELECT grant_id, client_id, session, sealed, step, expires_at FROM porchlight_openid_grant WHERE owner = ?";
    private static final String ADVANCE =
            "UPDATE porchlight_openid_grant SET step = step + 1, expires_at = ?, sealed = ?"
                    + " WHERE grant_id = ? AND step = ? AND expires_at > ?";
    private static final String REMOVE = "DELETE FROM porchlight_openid_grant WHERE grant_id = ?";

    private final Sql sql;
    private final Sealer sealer;
    /** With the secret in use, and with the one it replaces, if there is one. */
    private final List<KeyedHash> macs;

    private final GrantChecks grants;
    private final InstantSource clock;
    private final SecureRandom random;

    Authorizations(
            Sql sql,
            Sealer sealer,
            List<byte[]> macKeys,
            GrantChecks grants,
            InstantSource clock,
            SecureRandom random) {
        this.sql = sql;
        this.sealer = sealer;
        this.macs = macKeys.stream().map(KeyedHash::new).toList();
        this.grants = grants;
        this.clock = clock;
        this.random = random;
    }

    /** A row. */
    private record Row(Authorization authorization, int step, long expiresAt) {}

    /** A token's id and step, after its MAC was verified. */
    private record Genuine(String id, int step) {}

    /**
     * The result of redeeming a code or a refresh token.
     *
     * @param refusal why it was refused, or null
     * @param refreshToken the next refresh token
     */
    record Redeemed(
            @Nullable Refusal refusal,
            @Nullable Authorization authorization,
            String refreshToken,
            long refreshExpiresAt) {
        private static Redeemed refused(Reason reason, @Nullable Authorization authorization) {
            return new Redeemed(reason.refusal(), authorization, "", 0);
        }
    }

    /**
     * Adds an authorization and returns its code, within a transaction of the caller.
     *
     * @return empty if the sign-in is no longer valid
     */
    Optional<String> add(Connection connection, SignInRequest request, SignedInUser user) throws SQLException {
        if (!grants.isValid(connection, user.grant())) {
            return Optional.empty();
        }
        byte[] id = new byte[16];
        random.nextBytes(id);
        var authorization = new Authorization(
                base64(id),
                request.clientId(),
                user.session(),
                grants.lasting(connection, user.grant()),
                request.redirectUri(),
                request.codeChallenge(),
                request.scopes(),
                request.nonce(),
                user.methods(),
                request.dpopThumbprint());
        Sql.update(
                connection,
                ADD,
                authorization.id(),
                authorization.clientId(),
                authorization.session(),
                owner(macs.get(0), authorization.userId()),
                sealer.seal(authorization.toJson(), place(authorization.id(), authorization.clientId())),
                clock.millis() + CODE_LIFETIME.toMillis());
        return Optional.of(token(authorization.id(), 0));
    }

    /** Opens the authorization of a code or refresh token without using it up; null if the token is not genuine. */
    @Nullable
    Authorization peek(String token) {
        Genuine genuine = genuine(token);
        Row row = genuine == null ? null : Sql.first(sql.query(FIND, this::read, genuine.id()));
        return row == null ? null : row.authorization();
    }

    /** The authorization with this id, if it has not ended; null otherwise. */
    @Nullable
    Authorization find(String id) {
        Row row = Sql.first(sql.query(FIND, this::read, id));
        return row == null
                        || row.expiresAt() <= clock.millis()
                        || !grants.isValid(row.authorization().grant())
                ? null
                : row.authorization();
    }

    /**
     * Uses up a code or a refresh token, within a transaction of the caller. A token of an earlier step was used before: then
     * the whole authorization ends. Also when the caller is not entitled to it, it ends.
     *
     * @param code whether a code is presented, rather than a refresh token
     * @param thumbprint the key that the client proved to have, which its tokens are bound to from then on; or null
     * @param check returns why the caller may not redeem it, or null
     */
    Redeemed redeem(
            Connection connection,
            String token,
            boolean code,
            Duration refreshLifetime,
            @Nullable String thumbprint,
            Check check)
            throws SQLException {
        Reason invalid = code ? Reason.INVALID_CODE : Reason.INVALID_REFRESH_TOKEN;
        Genuine genuine = genuine(token);
        if (genuine == null || code != (genuine.step() == 0)) {
            return Redeemed.refused(invalid, null);
        }
        Row row = Sql.first(Sql.query(connection, FIND, this::read, genuine.id()));
        if (row == null) {
            return Redeemed.refused(invalid, null);
        }
        Authorization authorization = row.authorization();
        Refusal refusal = check.refusal(authorization);
        if (refusal != null) {
            Sql.update(connection, REMOVE, genuine.id());
            return new Redeemed(refusal, authorization, "", 0);
        }
        if (!grants.isValid(connection, authorization.grant())) {
            Sql.update(connection, REMOVE, genuine.id());
            return Redeemed.refused(Reason.ACCESS_ENDED, authorization);
        }
        long now = clock.millis();
        // The first refresh decides how long all of them last: a sign-in is not prolonged forever.
        long expiresAt = code ? now + refreshLifetime.toMillis() : row.expiresAt();
        Authorization bound = code ? authorization.boundTo(thumbprint) : authorization;
        String sealed = sealer.seal(bound.toJson(), place(bound.id(), bound.clientId()));
        if (Sql.update(connection, ADVANCE, expiresAt, sealed, genuine.id(), genuine.step(), now) == 1) {
            return new Redeemed(null, bound, token(genuine.id(), genuine.step() + 1), expiresAt);
        }
        Row latest = Sql.first(Sql.query(connection, FIND, this::read, genuine.id()));
        if (latest == null || latest.step() <= genuine.step()) {
            return Redeemed.refused(invalid, authorization); // expired
        }
        Sql.update(connection, REMOVE, genuine.id());
        return Redeemed.refused(code ? Reason.REPLAYED_CODE : Reason.REUSED_REFRESH_TOKEN, authorization);
    }

    /** Decides whether a client may redeem an authorization. */
    @FunctionalInterface
    interface Check {
        @Nullable
        Refusal refusal(Authorization authorization);
    }

    /** Ends an authorization, with its refresh and access tokens. */
    void end(String id) {
        sql.update(REMOVE, id);
    }

    /** Ends the authorizations of a session, and returns them. */
    List<Authorization> endSession(String session) {
        return sql
                .query(
                        "DELETE FROM porchlight_openid_grant WHERE session = ? RETURNING grant_id, client_id, session, sealed,"
                                + " step, expires_at",
                        this::read,
                        session)
                .stream()
                .map(Row::authorization)
                .toList();
    }

    /** Ends the authorizations of a user whose sign-in is no longer valid, and returns them. */
    List<Authorization> endInvalid(String userId) {
        List<Authorization> ended = macs.stream()
                .flatMap(mac -> sql.query(FIND_OWNED, this::read, owner(mac, userId)).stream())
                .map(Row::authorization)
                .filter(authorization -> !grants.isValid(authorization.grant()))
                .toList();
        ended.forEach(authorization -> end(authorization.id()));
        return ended;
    }

    /** Ends the authorizations of a user for one client, within a transaction of the caller. */
    void endUser(Connection connection, String userId, String clientId) throws SQLException {
        for (KeyedHash mac : macs) {
            Sql.update(
                    connection,
                    "DELETE FROM porchlight_openid_grant WHERE owner = ? AND client_id = ?",
                    owner(mac, userId),
                    clientId);
        }
    }

    private @Nullable Genuine genuine(String token) {
        Matcher parts = TOKEN.matcher(token);
        if (!parts.matches()) {
            return null;
        }
        byte[] given = parts.group(3).getBytes(StandardCharsets.US_ASCII);
        String signed = parts.group(1) + '.' + parts.group(2);
        boolean genuine = macs.stream().anyMatch(mac -> MessageDigest.isEqual(given, mac(mac, signed)));
        return genuine ? new Genuine(parts.group(1), Integer.parseInt(parts.group(2))) : null;
    }

    private String token(String id, int step) {
        String signed = id + '.' + step;
        return signed + '.' + new String(mac(macs.get(0), signed), StandardCharsets.US_ASCII);
    }

    private static String owner(KeyedHash mac, String userId) {
        return new String(mac(mac, "owner " + userId), StandardCharsets.US_ASCII);
    }

    private static byte[] mac(KeyedHash mac, String text) {
        return base64(mac.of(text.getBytes(StandardCharsets.UTF_8))).getBytes(StandardCharsets.US_ASCII);
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String place(String id, String clientId) {
        return "openid grant " + id + ' ' + clientId;
    }

    private Row read(ResultSet row) throws SQLException {
        String id = row.getString(1);
        String clientId = row.getString(2);
        String content = sealer.open(row.getString(4), place(id, clientId));
        if (content == null) {
            throw new SQLException("authorization " + id + " was sealed with another SESSION_SECRET");
        }
        try {
            Authorization authorization = Authorization.parse(id, clientId, row.getString(3), content);
            return new Row(authorization, row.getInt(5), row.getLong(6));
        } catch (MalformedException e) {
            throw new SQLException("authorization " + id + " is damaged", e);
        }
    }
}
