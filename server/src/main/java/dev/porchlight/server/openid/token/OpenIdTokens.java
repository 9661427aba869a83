// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.token;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonTree;
import dev.porchlight.server.auth.SignIn;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.grant.Authorization;
import dev.porchlight.server.openid.grant.Authorizations.AccessClaims;
import dev.porchlight.server.token.Jwts;
import dev.porchlight.server.token.Jwts.Signed;
import dev.porchlight.server.token.Jwts.Verified;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Issues ID tokens, access tokens and logout tokens, and checks access tokens. Thread-safe. */
public final class OpenIdTokens {
    public static final String PROFILE = "profile";
    public static final String EMAIL = "email";
    public static final String GROUPS = "groups";
    public static final String OFFLINE = "offline_access";

    /** The scopes that mean something here; others are ignored. */
    public static final Set<String> SCOPES = Set.of("openid", PROFILE, EMAIL, GROUPS, OFFLINE);

    private static final JOSEObjectType ACCESS_TOKEN_TYPE = new JOSEObjectType("at+jwt");
    private static final JOSEObjectType LOGOUT_TOKEN_TYPE = new JOSEObjectType("logout+jwt");
    private static final int MAX_LENGTH = 8_192;

    /**
     * The most bytes of all groups in a token, each with its quotes and comma, and of the claims from the profile beside them. A
     * token must fit into the headers that this service accepts, beside those of a browser.
     */
    static final int MAX_GROUPS = 2_048;

    private static final String AUTHORIZATION = "grant_id";
    private static final String CLIENT = "client_id";
    private static final int MAX_VERIFIED = 1_000;
    private static final Duration LOGOUT_TOKEN_LIFETIME = Duration.ofMinutes(2);

    private final Jwts jwts;
    private final String issuer;
    private final Duration lifetime;
    private final InstantSource clock;

    /**
     * The latest access tokens with a valid signature, by their SHA-256: those issued here, and those verified here. Clients use
     * a token many times, and a signature does not change. Everything that can change is checked at each use.
     */
    private final Map<Bytes, AccessClaims> verified = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Bytes, AccessClaims> eldest) {
            return size() > MAX_VERIFIED;
        }
    });

    public OpenIdTokens(Jwts jwts, String issuer, Duration lifetime, InstantSource clock) {
        this.jwts = jwts;
        this.issuer = issuer;
        this.lifetime = lifetime;
        this.clock = clock;
    }

    Duration lifetime() {
        return lifetime;
    }

    /**
     * An ID token for a client.
     *
     * @param user the groups are left out if they are too long for a token, and all other claims but the user name if they are
     *     too long beside the groups
     * @param nonce of the authorization request; null in a refresh
     */
    String idToken(Client client, Authorization authorization, UserClaims.Known user, @Nullable String nonce) {
        List<String> groups = user.groups();
        Instant now = clock.instant();
        Map<String, Object> claims = claims(authorization, client.id(), now, now.plus(lifetime));
        put(claims, authorization, groups);
        if (authorization.hasScope(PROFILE)) {
            claims.put("preferred_username", authorization.userId());
        }
        Map<String, Object> further = new LinkedHashMap<>(user.claims());
        further.remove("preferred_username");
        int length = Bytes.ofUtf8(JsonTree.write(further)).size();
        if (length + (fit(groups) ? length(groups) : 0) <= MAX_GROUPS) {
            claims.putAll(further);
        }
        if (nonce != null) {
            claims.put("nonce", nonce);
        }
        putSession(claims, authorization);
        return jwts.sign(JOSEObjectType.JWT, algorithm(client), claims);
    }

    /** An access token by RFC 9068 whose audience is the client. */
    String accessToken(Client client, Authorization authorization, List<String> groups) {
        Instant now = clock.instant();
        Instant expiresAt = now.plus(lifetime).truncatedTo(ChronoUnit.SECONDS);
        Map<String, Object> claims = claims(authorization, client.id(), now, expiresAt);
        put(claims, authorization, groups);
        claims.put("jti", UUID.randomUUID().toString());
        claims.put(CLIENT, client.id());
        claims.put("scope", String.join(" ", authorization.request().scopes()));
        claims.put(AUTHORIZATION, authorization.id());
        String thumbprint = authorization.request().dpopThumbprint();
        if (thumbprint != null) {
            claims.put("cnf", Map.of("jkt", thumbprint));
        }
        Signed token = jwts.signed(ACCESS_TOKEN_TYPE, JWSAlgorithm.ES256, claims);
        verified.put(
                Bytes.ofUtf8(token.text()).sha256(),
                new AccessClaims(token.keyId(), authorization.id(), authorization.subject(), expiresAt, thumbprint));
        return token.text();
    }

    /** A logout token for back-channel logout. */
    public String logoutToken(Client client, Authorization authorization) {
        Instant now = clock.instant();
        Map<String, Object> claims = claims(authorization, client.id(), now, now.plus(LOGOUT_TOKEN_LIFETIME));
        claims.put("jti", UUID.randomUUID().toString());
        putSession(claims, authorization);
        claims.put("events", Map.of("http://schemas.openid.net/event/backchannel-logout", Map.of()));
        return jwts.sign(LOGOUT_TOKEN_TYPE, algorithm(client), claims);
    }

    private static JWSAlgorithm algorithm(Client client) {
        return JWSAlgorithm.parse(client.settings().idTokenAlgorithm());
    }

    /** Reads an access token; null if it is invalid or has expired. Its sign-in and its key may have been removed. */
    @Nullable
    AccessClaims accessToken(String text) {
        if (text.length() > MAX_LENGTH) {
            return null;
        }
        Bytes hash = Bytes.ofUtf8(text).sha256();
        AccessClaims token = verified.get(hash);
        if (token == null) {
            token = verify(text);
            if (token != null) {
                verified.put(hash, token);
            }
        }
        return token == null || !token.expiresAt().isAfter(clock.instant()) ? null : token;
    }

    private @Nullable AccessClaims verify(String text) {
        Verified token = jwts.verify(ACCESS_TOKEN_TYPE, text);
        return token == null ? null : accessClaims(token.keyId(), token.claims());
    }

    private @Nullable AccessClaims accessClaims(String keyId, JWTClaimsSet claims) {
        try {
            String authorization = claims.getStringClaim(AUTHORIZATION);
            Date expires = claims.getExpirationTime();
            Map<String, Object> key = claims.getJSONObjectClaim("cnf");
            String thumbprint = key != null && key.get("jkt") instanceof String jkt ? jkt : null;
            return !issuer.equals(claims.getIssuer()) || expires == null || authorization == null
                    ? null
                    : new AccessClaims(
                            keyId,
                            authorization,
                            claims.getSubject(),
                            expires.toInstant().truncatedTo(ChronoUnit.SECONDS), // as the token has it
                            thumbprint);
        } catch (ParseException e) {
            return null;
        }
    }

    /** The claims of an ID token of this issuer, also of one that has expired; null if it is not one. */
    public @Nullable JWTClaimsSet hint(String idToken) {
        return idToken.length() > MAX_LENGTH ? null : hint(jwts.verify(JOSEObjectType.JWT, idToken));
    }

    /** The same for one that is parsed. */
    public @Nullable JWTClaimsSet hint(JWT idToken) {
        return idToken instanceof SignedJWT signed ? hint(jwts.verify(JOSEObjectType.JWT, signed)) : null;
    }

    private @Nullable JWTClaimsSet hint(@Nullable Verified token) {
        return token == null
                        || !issuer.equals(token.claims().getIssuer())
                        || token.claims().getClaim("auth_time") == null
                        || !jwts.isStored(token.keyId())
                ? null
                : token.claims();
    }

    /** The claims of all tokens. */
    private Map<String, Object> claims(
            Authorization authorization, String audience, Instant issuedAt, Instant expiresAt) {
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("iss", issuer);
        claims.put("sub", authorization.subject());
        claims.put("aud", audience);
        claims.put("iat", issuedAt.getEpochSecond());
        claims.put("exp", expiresAt.getEpochSecond());
        return claims;
    }

    /** Adds how the user signed in, and the groups if they fit. */
    private static void put(Map<String, Object> claims, Authorization authorization, List<String> groups) {
        claims.put("auth_time", authorization.grant().authTime().getEpochSecond());
        claims.put("amr", authorization.methods());
        claims.put("acr", SignIn.contextClass(authorization.methods()));
        if (authorization.hasScope(GROUPS) && fit(groups)) {
            claims.put(GROUPS, groups);
        }
    }

    private static void putSession(Map<String, Object> claims, Authorization authorization) {
        if (!authorization.session().isEmpty()) {
            claims.put("sid", authorization.session());
        }
    }

    private static boolean fit(List<String> groups) {
        return length(groups) <= MAX_GROUPS;
    }

    private static int length(List<String> groups) {
        return groups.stream().mapToInt(group -> group.length() + 3).sum();
    }
}
