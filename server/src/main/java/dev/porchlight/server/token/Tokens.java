// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jca.JCAAware;
import com.nimbusds.jose.jca.JCAContext;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.porchlight.server.auth.Grant;
import dev.porchlight.server.auth.SignIn;
import java.security.Provider;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Issues and checks the service's tokens: ES256 JWTs whose subject is the owner of the verified credential. Thread-safe.
 *
 * <p>Verification ignores a token's claims about how to verify it: the algorithm is fixed, and the key must be in the key ring.
 */
public final class Tokens {
    private static final int MAX_LENGTH = 4_096;
    /** The accepted clock skew of the instance that issued a token. */
    private static final Duration SKEW = Duration.ofMinutes(1);

    /** How long a token is accepted after it expired. */
    private static final Duration LEEWAY = Duration.ofSeconds(5);

    /** The claim with the passkey, so that the token ends with it. */
    private static final String CREDENTIAL = "credential_id";
    /** The registration of that passkey and the generation of the user's access, for this service alone. */
    private static final String GRANT = "grant";

    private static final Pattern GRANT_FORM = Pattern.compile("(\\d{1,18})\\.(\\d{1,18})");

    private final KeyRing keys;
    private final String issuer;
    private final String audience;
    private final Duration lifetime;
    private final InstantSource clock;
    private final @Nullable Provider provider;
    private volatile @Nullable Signing signing;

    /** A signed token and when it expires. */
    public record Issued(String value, Instant expiresAt) {}

    /**
     * The claims of a valid token.
     *
     * @param grant the sign-in behind the token
     * @param keyId the id of the key that signed it
     * @param methods how the user signed in
     */
    public record Claims(Grant grant, String keyId, Instant expiresAt, List<String> methods) {}

    /** A header and a thread-safe signer for one key. */
    private record Signing(JWSHeader header, JWSSigner signer) {}

    /**
     * Tokens of an issuer for an audience.
     *
     * @param provider signs and verifies; null for the JDK's default
     */
    public Tokens(
            KeyRing keys,
            String issuer,
            String audience,
            Duration lifetime,
            InstantSource clock,
            @Nullable Provider provider) {
        this.keys = keys;
        this.issuer = issuer;
        this.audience = audience;
        this.lifetime = lifetime;
        this.clock = clock;
        this.provider = provider;
    }

    /**
     * Issues a token for a user who signed in.
     *
     * @param generation the generation of the user's access
     */
    public Issued issue(SignIn signIn, long generation) {
        Instant now = clock.instant();
        Instant expiresAt = now.plus(lifetime);
        var claims = new JWTClaimsSet.Builder()
                .issuer(issuer)
                .subject(signIn.userId())
                .audience(audience)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(expiresAt))
                .jwtID(UUID.randomUUID().toString())
                .claim(CREDENTIAL, signIn.passkey().credentialId())
                .claim(GRANT, Grant.createdAt(signIn.passkey()) + "." + generation)
                .claim("auth_time", signIn.at().getEpochSecond())
                .claim("amr", signIn.methods())
                .claim("acr", SignIn.contextClass(signIn.methods()))
                .build();
        try {
            Signing current = signingWith(keys.signing());
            var token = new SignedJWT(current.header(), claims);
            token.sign(current.signer());
            return new Issued(token.serialize(), expiresAt);
        } catch (JOSEException e) {
            throw new IllegalStateException("a P-256 key signs ES256", e);
        }
    }

    /** Cached per key, because converting a JWK takes longer than signing. */
    private Signing signingWith(ECKey key) throws JOSEException {
        Signing known = signing;
        if (known != null && known.header().getKeyID().equals(key.getKeyID())) {
            return known;
        }
        var header = new JWSHeader.Builder(JWSAlgorithm.ES256)
                .type(JOSEObjectType.JWT)
                .keyID(key.getKeyID())
                .build();
        Signing created =
                new Signing(header, with(provider, new ECDSASigner(key.toECPrivateKey(provider), Curve.P_256)));
        signing = created;
        return created;
    }

    /** Verifies a token; returns null if it is invalid, expired, or for another issuer or audience. */
    public @Nullable Claims check(String text) {
        if (text.length() > MAX_LENGTH) {
            return null;
        }
        try {
            SignedJWT token = SignedJWT.parse(text);
            String kid = token.getHeader().getKeyID();
            if (kid == null
                    || !(keys.named(kid) instanceof ECKey key)
                    || !JWSAlgorithm.ES256.equals(token.getHeader().getAlgorithm())
                    || !JOSEObjectType.JWT.equals(token.getHeader().getType())
                    || !isCanonical(token.getSignature())
                    || !token.verify(with(provider, new ECDSAVerifier(key.toPublicJWK())))) {
                return null;
            }
            return judge(token.getJWTClaimsSet(), kid);
        } catch (ParseException | JOSEException | IllegalArgumentException e) {
            return null;
        }
    }

    /** The signature does not cover its own encoding, so padding and stray bits are refused here. */
    private static boolean isCanonical(Base64URL signature) {
        return Base64URL.encode(signature.decode()).equals(signature);
    }

    private static <T extends JCAAware<JCAContext>> T with(@Nullable Provider provider, T operation) {
        if (provider != null) {
            operation.getJCAContext().setProvider(provider);
        }
        return operation;
    }

    private @Nullable Claims judge(JWTClaimsSet claims, String keyId) throws ParseException {
        Date expires = claims.getExpirationTime();
        Date issued = claims.getIssueTime();
        Date notBefore = claims.getNotBeforeTime(); // never issued, but honored
        Long authTime = claims.getLongClaim("auth_time");
        String credentialId = claims.getStringClaim(CREDENTIAL);
        Instant now = clock.instant();
        boolean ours = issuer.equals(claims.getIssuer())
                && List.of(audience).equals(claims.getAudience())
                && claims.getSubject() != null
                && authTime != null;
        if (!ours
                || credentialId == null
                || expires == null
                || issued == null
                || expires.toInstant().plus(LEEWAY).isBefore(now)
                || issued.toInstant().minus(SKEW).isAfter(now)
                || notBefore != null && notBefore.toInstant().minus(SKEW).isAfter(now)) {
            return null;
        }
        Instant at = Instant.ofEpochSecond(authTime);
        Grant grant = grant(claims.getSubject(), credentialId, at, claims.getStringClaim(GRANT));
        List<String> methods = claims.getStringListClaim("amr");
        return grant == null
                ? null
                : new Claims(grant, keyId, expires.toInstant(), methods == null ? List.of() : methods);
    }

    private static @Nullable Grant grant(String userId, String credentialId, Instant at, @Nullable String claim) {
        Matcher parts = GRANT_FORM.matcher(claim == null ? "" : claim);
        return parts.matches()
                ? new Grant(userId, credentialId, Long.parseLong(parts.group(1)), Long.valueOf(parts.group(2)), at)
                : null;
    }
}
