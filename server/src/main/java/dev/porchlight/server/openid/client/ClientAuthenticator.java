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
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.JWTAuthenticationClaimsSet;
import com.nimbusds.oauth2.sdk.auth.PlainClientSecret;
import com.nimbusds.oauth2.sdk.auth.PrivateKeyJWT;
import com.nimbusds.oauth2.sdk.id.JWTID;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.openid.protocol.RefusedException;
import dev.porchlight.server.openid.protocol.UsedTokens;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Authenticates clients at the token, revocation and pushed authorization request endpoints. Thread-safe. */
public final class ClientAuthenticator {
    public static final List<JWSAlgorithm> ASSERTION_ALGORITHMS = List.of(JWSAlgorithm.ES256, JWSAlgorithm.RS256);
    private static final Duration MAX_ASSERTION_LIFETIME = Duration.ofMinutes(5);
    private static final Duration CLOCK_SKEW = Duration.ofSeconds(30);
    private static final int MAX_JTI = 256;

    private final Clients clients;
    private final Sql sql;
    private final Set<String> audiences;
    private final InstantSource clock;

    /** Accepts assertions that are addressed to one of the audiences: the issuer, or the URL of an endpoint. */
    public ClientAuthenticator(Clients clients, Sql sql, Set<String> audiences, InstantSource clock) {
        this.clients = clients;
        this.sql = sql;
        this.audiences = audiences;
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
            RefusedException twice =
                    headers.isEmpty() || !secret && !assertion ? null : invalid("one authentication method", "two");
            try {
                ClientAuthentication given = null;
                if (!headers.isEmpty() && headers.get(0).startsWith("Basic")) {
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
            JWTClaimsSet claims = assertion.getJWTClaimsSet();
            return jwks != null
                    && ASSERTION_ALGORITHMS.contains(assertion.getHeader().getAlgorithm())
                    && JWKSet.parse(jwks).getKeys().stream().anyMatch(key -> isSignedWith(assertion, key))
                    && isCurrent(claims, client.id());
        } catch (java.text.ParseException e) {
            return false;
        }
    }

    /** Whether a key can verify assertions: of one of the algorithms, and not meant for something else. */
    static boolean isForAssertions(JWK key) {
        boolean suitable = key instanceof RSAKey || key instanceof ECKey ec && Curve.P_256.equals(ec.getCurve());
        return suitable
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

    private boolean isCurrent(JWTClaimsSet claims, String clientId) {
        Instant now = clock.instant();
        return clientId.equals(claims.getIssuer())
                && clientId.equals(claims.getSubject())
                && claims.getAudience().size() == 1
                && audiences.contains(claims.getAudience().get(0))
                && claims.getExpirationTime() != null
                && claims.getExpirationTime().toInstant().isAfter(now.minus(CLOCK_SKEW))
                && claims.getExpirationTime().toInstant().isBefore(now.plus(MAX_ASSERTION_LIFETIME))
                && (claims.getNotBeforeTime() == null
                        || claims.getNotBeforeTime().toInstant().isBefore(now.plus(CLOCK_SKEW)));
    }

    /** Marks an assertion by which a client was recognized as used, on all instances; refused if it was used before. */
    void useUp(String clientId, PrivateKeyJWT assertion) throws RefusedException {
        JWTAuthenticationClaimsSet claims = assertion.getJWTAuthenticationClaimsSet();
        JWTID id = claims.getJWTID();
        if (id == null
                || id.getValue().length() > MAX_JTI
                || !UsedTokens.use(
                        sql,
                        "assertion " + clientId + ' ' + id,
                        claims.getExpirationTime().toInstant().plus(CLOCK_SKEW))) {
            throw invalid("an assertion that was not used", "a used one, or one without an id");
        }
    }

    private static RefusedException invalid(String expected, String found) {
        return Reason.INVALID_CLIENT.refused("client authentication", expected, found);
    }
}
