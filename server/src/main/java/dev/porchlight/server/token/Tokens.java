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
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Issues and checks the service's tokens: ES256 JWTs whose subject is the owner of the verified credential. Thread-safe.
 *
 * <p>Checking believes nothing the token says about how to check it: the algorithm is fixed, and the key is one of the ring's or
 * the token is refused.
 */
public final class Tokens {
    private static final int MAX_LENGTH = 4_096;
    /** By how much the clock of the instance that issued a token may be ahead. */
    private static final Duration SKEW = Duration.ofMinutes(1);

    /** How long a token is accepted after it expired. */
    private static final Duration LEEWAY = Duration.ofSeconds(5);

    /** The passkey a token came from, so that the token ends with it. */
    private static final String CREDENTIAL = "credential_id";
    /** The registration of that passkey and the generation of the user's access, for this service alone. */
    private static final String GRANT = "grant";

    private static final Pattern GRANT_FORM = Pattern.compile("(\\d{1,18})\\.(\\d{1,18})");

    /** OpenID's word for authentication that cannot be phished. */
    private static final String PHISHING_RESISTANT = "phr";

    private final KeyRing keys;
    private final String issuer;
    private final String audience;
    private final Duration lifetime;
    private final InstantSource clock;
    private final @Nullable Provider provider;
    private volatile @Nullable Seal seal;

    /** A signed token and when it expires. */
    public record Issued(String value, Instant expiresAt) {}

    /**
     * The claims of a valid token.
     *
     * @param grant the sign-in that it came from
     * @param keyId the name of the key that signed it
     */
    public record Claims(Grant grant, String keyId, Instant expiresAt) {}

    /** What tokens are signed with, ready for use; the signer is thread-safe. */
    private record Seal(JWSHeader header, JWSSigner signer) {}

    /**
     * Tokens of an issuer for an audience.
     *
     * @param provider signs and verifies; null for the one that the JDK prefers
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
     * A token for a user who signed in; there is no other way to get one.
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
                .claim("amr", methods(signIn))
                .claim("acr", PHISHING_RESISTANT)
                .build();
        try {
            Seal seal = seal(keys.signing());
            var token = new SignedJWT(seal.header(), claims);
            token.sign(seal.signer());
            return new Issued(token.serialize(), expiresAt);
        } catch (JOSEException e) {
            throw new IllegalStateException("a P-256 key signs ES256", e);
        }
    }

    /** Made once for a key: to turn a JWK into a key that the provider signs with takes longer than to sign. */
    private Seal seal(ECKey key) throws JOSEException {
        Seal known = seal;
        if (known != null && known.header().getKeyID().equals(key.getKeyID())) {
            return known;
        }
        var header = new JWSHeader.Builder(JWSAlgorithm.ES256)
                .type(JOSEObjectType.JWT)
                .keyID(key.getKeyID())
                .build();
        Seal made = new Seal(header, with(provider, new ECDSASigner(key.toECPrivateKey(provider), Curve.P_256)));
        seal = made;
        return made;
    }

    /** What the token says, or null if it is not one of ours, has expired, or was meant for somebody else. */
    public @Nullable Claims check(String text) {
        if (text.length() > MAX_LENGTH) {
            return null;
        }
        try {
            SignedJWT token = SignedJWT.parse(text);
            String kid = token.getHeader().getKeyID();
            ECKey key = kid == null ? null : keys.named(kid);
            if (key == null
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

    /** The signature is the one part that it does not cover itself: padding and stray bits would pass unnoticed. */
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
        Date goodFrom = claims.getNotBeforeTime(); // none of ours has it, and yet it is what it says
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
                || goodFrom != null && goodFrom.toInstant().minus(SKEW).isAfter(now)) {
            return null;
        }
        Instant at = Instant.ofEpochSecond(authTime);
        Grant grant = grant(claims.getSubject(), credentialId, at, claims.getStringClaim(GRANT));
        return grant == null ? null : new Claims(grant, keyId, expires.toInstant());
    }

    /** A token of an earlier release says nothing about the passkey's registration, and is of the first generation. */
    private static @Nullable Grant grant(String userId, String credentialId, Instant at, @Nullable String claim) {
        if (claim == null) {
            return new Grant(userId, credentialId, null, 0L, at);
        }
        Matcher parts = GRANT_FORM.matcher(claim);
        return parts.matches()
                ? new Grant(userId, credentialId, Long.valueOf(parts.group(1)), Long.valueOf(parts.group(2)), at)
                : null;
    }

    /** RFC 8176: a key in hardware or one that is synchronised, a user who was there, and two factors if he was verified. */
    private static List<String> methods(SignIn signIn) {
        var methods = new ArrayList<String>();
        methods.add(signIn.backupEligible() ? "swk" : "hwk");
        methods.add("user");
        if (signIn.userVerified()) {
            methods.add("mfa");
        }
        return methods;
    }
}
