// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.client;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.PlainClientSecret;
import com.nimbusds.oauth2.sdk.auth.PrivateKeyJWT;
import com.nimbusds.oauth2.sdk.id.JWTID;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.openid.client.ClientSettings.Profile;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.openid.protocol.RefusedException;
import dev.porchlight.server.openid.protocol.UsedTokens;
import dev.porchlight.server.token.Jwts;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Authenticates clients at the token, revocation and pushed authorization request endpoints. Thread-safe. */
public final class ClientAuthenticator {
    public static final List<JWSAlgorithm> ASSERTION_ALGORITHMS =
            List.of(JWSAlgorithm.ES256, JWSAlgorithm.PS256, JWSAlgorithm.RS256);
    private static final Duration MAX_ASSERTION_LIFETIME = Duration.ofMinutes(5);
    private static final Duration CLOCK_SKEW = Duration.ofSeconds(30);
    private static final int MAX_JTI = 256;
    private static final List<String> ENDPOINTS = List.of("/oauth2/token", "/oauth2/par", "/oauth2/revoke");

    private final Clients clients;
    private final Sql sql;
    private final String issuer;
    private final InstantSource clock;

    /** Accepts assertions that are addressed to the issuer; of clients that need it, also to the URL of an endpoint. */
    public ClientAuthenticator(Clients clients, Sql sql, String issuer, InstantSource clock) {
        this.clients = clients;
        this.sql = sql;
        this.issuer = issuer;
        this.clock = clock;
    }

    /**
     * The client that a request claims to come from, whether it is genuine or not.
     *
     * @param named by the parameter {@code client_id}; null for none
     * @param given its credentials; null for none, or if they are malformed
     * @param refusal why they are refused, whatever client it is; or null
     */
    record Claim(
            @Nullable String named,
            @Nullable ClientAuthentication given,
            @Nullable RefusedException refusal) {

        /** Parses the credentials of a request. Which client they belong to is needed also if the request is refused. */
        static Claim of(List<String> headers, Parameters parameters) throws RefusedException {
            if (headers.size() > 1) {
                throw Reason.INVALID_CLIENT.refused("Authorization", "one header", "several");
            }
            String named = parameters.get("client_id");
            boolean secret = parameters.get("client_secret") != null;
            boolean assertion = parameters.get("client_assertion") != null;
            int methods = headers.size() + (secret ? 1 : 0) + (assertion ? 1 : 0);
            RefusedException twice = methods > 1 ? invalid("one authentication method", "several") : null;
            try {
                ClientAuthentication given = null;
                if (!headers.isEmpty() && headers.get(0).regionMatches(true, 0, "Basic", 0, 5)) {
                    given = ClientSecretBasic.parse(headers.get(0));
                } else if (secret && named != null) {
                    given = ClientSecretPost.parse(parameters.toMap());
                } else if (assertion) {
                    given = PrivateKeyJWT.parse(parameters.toMap());
                }
                return new Claim(named, given, twice);
            } catch (ParseException | IllegalArgumentException e) {
                RefusedException malformed =
                        invalid("well-formed client authentication", "malformed client authentication");
                return new Claim(named, null, twice == null ? malformed : twice);
            }
        }

        /** The id that is claimed, or empty. */
        String clientId() {
            String known = named == null && given != null ? given.getClientID().getValue() : named;
            return known == null ? "" : known;
        }
    }

    /**
     * The client that sent a request; one with an assertion is authenticated when that is {@linkplain #useUp used up}. Unknown
     * clients and wrong secrets get the same refusal.
     */
    Client recognize(Claim claim) throws RefusedException {
        ClientAuthentication given = claim.given();
        if (claim.refusal() != null) {
            throw claim.refusal();
        }
        if (given != null && !given.getClientID().getValue().equals(claim.clientId())) {
            throw invalid("one client_id", "two");
        }
        Client client = clients.find(claim.clientId());
        if (client == null || !isGenuine(client, given)) {
            throw invalid(
                    "the credentials of a registered client", given == null ? "no credentials" : "other credentials");
        }
        if (given instanceof PrivateKeyJWT assertion) {
            requireValid(assertion.getClientAssertion(), client);
        }
        return client;
    }

    private boolean isGenuine(Client client, @Nullable ClientAuthentication given) {
        if (given == null) {
            return client.isPublic();
        }
        if (given instanceof PlainClientSecret secret) { // in the header or in the form
            return client.hasSecret(secret.getClientSecret().getValue());
        }
        return given instanceof PrivateKeyJWT assertion && isGenuine(client, assertion.getClientAssertion());
    }

    private boolean isGenuine(Client client, SignedJWT assertion) {
        String jwks = client.settings().jwks();
        try {
            return jwks != null
                    && !Jwts.isConditional(assertion.getHeader())
                    && JWKSet.parse(jwks).getKeys().stream().anyMatch(key -> isSignedWith(assertion, key));
        } catch (java.text.ParseException e) {
            return false;
        }
    }

    /** Refuses an assertion of the client that is not for this service and this time. Operators see what is wrong with it. */
    private void requireValid(SignedJWT assertion, Client client) throws RefusedException {
        List<String> algorithms = algorithms(client);
        String algorithm = assertion.getHeader().getAlgorithm().getName();
        require(algorithms.contains(algorithm), "alg: " + String.join(" or ", algorithms), algorithm);
        try {
            JWTClaimsSet claims = assertion.getJWTClaimsSet();
            Object audience = assertion.getPayload().toJSONObject().get("aud");
            require(isAudience(audience, client), "aud: " + issuer, audience);
            require(client.id().equals(claims.getSubject()), "sub: " + client.id(), claims.getSubject());
            require(client.id().equals(claims.getIssuer()), "iss: " + client.id(), claims.getIssuer());
            Instant now = clock.instant();
            Instant expires = instant(claims.getExpirationTime());
            require(
                    expires != null
                            && expires.isAfter(now.minus(CLOCK_SKEW))
                            && expires.isBefore(now.plus(MAX_ASSERTION_LIFETIME).plus(CLOCK_SKEW)),
                    "exp: in the next " + MAX_ASSERTION_LIFETIME.toMinutes() + " minutes",
                    expires);
            Instant issued = instant(claims.getIssueTime());
            require(isPast(issued, now), "iat: in the past", issued);
            Instant begin = instant(claims.getNotBeforeTime());
            require(isPast(begin, now), "nbf: in the past", begin);
        } catch (java.text.ParseException e) {
            throw invalid("an assertion with claims", "another text");
        }
    }

    private static void require(boolean holds, String expected, @Nullable Object found) throws RefusedException {
        if (!holds) {
            throw invalid("an assertion with " + expected, String.valueOf(found));
        }
    }

    private static @Nullable Instant instant(@Nullable Date time) {
        return time == null ? null : time.toInstant();
    }

    /** Whether a key can verify assertions: of one of the algorithms, and not meant for something else. */
    static boolean isForAssertions(JWK key) {
        boolean suitable = key instanceof RSAKey || key instanceof ECKey ec && Curve.P_256.equals(ec.getCurve());
        return suitable
                && (key.getKeyOperations() == null || key.getKeyOperations().contains(KeyOperation.VERIFY))
                && (key.getKeyUse() == null || KeyUse.SIGNATURE.equals(key.getKeyUse()))
                && (key.getAlgorithm() == null || ASSERTION_ALGORITHMS.contains(key.getAlgorithm()));
    }

    private static boolean isSignedWith(SignedJWT assertion, JWK key) {
        String keyId = assertion.getHeader().getKeyID();
        if (!isForAssertions(key) || keyId != null && key.getKeyID() != null && !keyId.equals(key.getKeyID())) {
            return false;
        }
        try {
            PublicKey publicKey = ((AsymmetricJWK) key).toPublicKey();
            return assertion.verify(
                    new DefaultJWSVerifierFactory().createJWSVerifier(assertion.getHeader(), publicKey));
        } catch (JOSEException e) {
            return false; // also if the algorithm is not one of this key
        }
    }

    private static List<String> algorithms(Client client) {
        boolean fapi = client.settings().rules().profile() == Profile.FAPI2;
        return ASSERTION_ALGORITHMS.stream()
                .filter(algorithm -> !fapi || !JWSAlgorithm.RS256.equals(algorithm))
                .map(JWSAlgorithm::getName)
                .toList();
    }

    /** A list is refused even if the issuer is in it: others might be addressed too. */
    private boolean isAudience(@Nullable Object audience, Client client) {
        return issuer.equals(audience)
                || client.settings().rules().endpointAudience()
                        && audience instanceof String endpoint
                        && ENDPOINTS.stream().anyMatch(path -> endpoint.equals(issuer + path));
    }

    private static boolean isPast(@Nullable Instant time, Instant now) {
        return time == null || time.isBefore(now.plus(CLOCK_SKEW));
    }

    /** Refuses an assertion that has no usable id, or was used before. */
    void requireUnused(String clientId, PrivateKeyJWT assertion) throws RefusedException {
        JWTID id = assertion.getJWTAuthenticationClaimsSet().getJWTID();
        if (id == null || id.getValue().length() > MAX_JTI || UsedTokens.isUsed(sql, mark(clientId, assertion))) {
            throw used();
        }
    }

    /** Marks an assertion by which a client was recognized as used, on all instances; refused if it was used before. */
    void useUp(String clientId, PrivateKeyJWT assertion) throws RefusedException {
        Instant expiresAt =
                assertion.getJWTAuthenticationClaimsSet().getExpirationTime().toInstant();
        if (!UsedTokens.use(sql, mark(clientId, assertion), expiresAt.plus(CLOCK_SKEW))) {
            throw used();
        }
    }

    private static String mark(String clientId, PrivateKeyJWT assertion) {
        return "assertion " + clientId + ' '
                + assertion.getJWTAuthenticationClaimsSet().getJWTID();
    }

    private static RefusedException used() {
        return invalid("an assertion that was not used", "a used one, or one without an id");
    }

    private static RefusedException invalid(String expected, String found) {
        return Reason.INVALID_CLIENT.refused("client authentication", expected, found);
    }
}
