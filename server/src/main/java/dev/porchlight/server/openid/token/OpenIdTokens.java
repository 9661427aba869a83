// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.token;

import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.porchlight.base.Bytes;
import dev.porchlight.server.auth.SignIn;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.grant.AccessGrants.Claims;
import dev.porchlight.server.openid.grant.Authorization;
import dev.porchlight.server.openid.token.OpenIdKeys.SignedToken;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
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
    public static final String GROUPS = "groups";
    public static final String OFFLINE = "offline_access";

    /** The scopes that mean something here; others are ignored. */
    public static final Set<String> SCOPES = Set.of("openid", "profile", GROUPS, OFFLINE);

    private static final String ID_TOKEN_TYPE = "JWT";
    private static final String ACCESS_TOKEN_TYPE = "at+jwt";
    private static final String LOGOUT_TOKEN_TYPE = "logout+jwt";
    private static final String ACCESS_TOKEN_ALGORITHM = "ES256";
    private static final String AUTHORIZATION = "grant_id";
    private static final String CLIENT = "client_id";
    private static final int MAX_VERIFIED = 1_000;
    private static final Duration LOGOUT_TOKEN_LIFETIME = Duration.ofMinutes(2);

    private final OpenIdKeys keys;
    private final String issuer;
    private final Duration lifetime;
    private final InstantSource clock;

    /**
     * The latest access tokens with a valid signature, by their SHA-256: clients use a token many times, and a signature does not
     * change. Everything that can change is checked at each use.
     */
    private final Map<Bytes, Claims> verified = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Bytes, Claims> eldest) {
            return size() > MAX_VERIFIED;
        }
    });

    public OpenIdTokens(OpenIdKeys keys, String issuer, Duration lifetime, InstantSource clock) {
        this.keys = keys;
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
     * @param groups the user's groups; empty unless the scope has them
     * @param nonce of the authorization request; null in a refresh
     */
    String idToken(Client client, Authorization authorization, List<String> groups, @Nullable String nonce) {
        var claims = claims(authorization, client.id());
        if (nonce != null) {
            claims.claim("nonce", nonce);
        }
        if (!authorization.session().isEmpty()) {
            claims.claim("sid", authorization.session());
        }
        if (authorization.hasScope(GROUPS)) {
            claims.claim(GROUPS, groups);
        }
        return keys.sign(ID_TOKEN_TYPE, client.settings().idTokenAlgorithm(), claims.build());
    }

    /** An access token by RFC 9068 whose audience is the client. */
    String accessToken(Client client, Authorization authorization, List<String> groups) {
        var claims = claims(authorization, client.id())
                .jwtID(UUID.randomUUID().toString())
                .claim(CLIENT, client.id())
                .claim("scope", String.join(" ", authorization.request().scopes()))
                .claim(AUTHORIZATION, authorization.id());
        if (authorization.hasScope(GROUPS)) {
            claims.claim(GROUPS, groups);
        }
        String thumbprint = authorization.request().dpopThumbprint();
        if (thumbprint != null) {
            claims.claim("cnf", Map.of("jkt", thumbprint));
        }
        return keys.sign(ACCESS_TOKEN_TYPE, ACCESS_TOKEN_ALGORITHM, claims.build());
    }

    /** A logout token for back-channel logout. */
    public String logoutToken(Client client, Authorization authorization) {
        Instant now = clock.instant();
        var claims = new JWTClaimsSet.Builder()
                .issuer(issuer)
                .subject(authorization.userId())
                .audience(client.id())
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(LOGOUT_TOKEN_LIFETIME)))
                .jwtID(UUID.randomUUID().toString())
                .claim("sid", authorization.session().isEmpty() ? null : authorization.session())
                .claim("events", Map.of("http://schemas.openid.net/event/backchannel-logout", Map.of()))
                .build();
        return keys.sign(LOGOUT_TOKEN_TYPE, client.settings().idTokenAlgorithm(), claims);
    }

    /** Reads an access token; null if it is invalid or has expired. Its sign-in and its key may have been removed. */
    @Nullable
    Claims accessToken(String text) {
        Bytes hash = Bytes.ofUtf8(text).sha256();
        Claims token = verified.get(hash);
        if (token == null) {
            token = verify(text);
            if (token != null) {
                verified.put(hash, token);
            }
        }
        return token == null || !token.expiresAt().isAfter(clock.instant()) ? null : token;
    }

    private @Nullable Claims verify(String text) {
        SignedToken token = keys.verify(ACCESS_TOKEN_TYPE, text);
        if (token == null) {
            return null;
        }
        try {
            JWTClaimsSet claims = token.claims();
            String authorization = claims.getStringClaim(AUTHORIZATION);
            Date expires = claims.getExpirationTime();
            return !issuer.equals(claims.getIssuer()) || expires == null || authorization == null
                    ? null
                    : new Claims(token.keyId(), authorization, claims.getSubject(), expires.toInstant());
        } catch (ParseException e) {
            return null;
        }
    }

    /** The claims of an ID token of this issuer, also of one that has expired; null if it is not one. */
    public @Nullable JWTClaimsSet hint(String idToken) {
        return hint(keys.verify(ID_TOKEN_TYPE, idToken));
    }

    /** The same for one that is parsed. */
    public @Nullable JWTClaimsSet hint(JWT idToken) {
        return idToken instanceof SignedJWT signed ? hint(keys.verify(ID_TOKEN_TYPE, signed)) : null;
    }

    private @Nullable JWTClaimsSet hint(@Nullable SignedToken token) {
        return token == null
                        || !issuer.equals(token.claims().getIssuer())
                        || token.claims().getClaim("auth_time") == null
                        || !keys.isStored(token.keyId())
                ? null
                : token.claims();
    }

    private JWTClaimsSet.Builder claims(Authorization authorization, String audience) {
        Instant now = clock.instant();
        return new JWTClaimsSet.Builder()
                .issuer(issuer)
                .subject(authorization.userId())
                .audience(audience)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(lifetime)))
                .claim("auth_time", authorization.grant().authTime().getEpochSecond())
                .claim("amr", authorization.methods())
                .claim("acr", SignIn.contextClass(authorization.methods()));
    }
}
