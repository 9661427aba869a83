// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.token;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.porchlight.server.auth.Grant;
import dev.porchlight.server.auth.SignIn;
import dev.porchlight.server.token.Jwts.Verified;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Issues and checks the service's tokens: ES256 JWTs whose subject is the owner of the verified credential. Thread-safe. */
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

    private final Jwts jwts;
    private final String issuer;
    private final String audience;
    private final Duration lifetime;
    private final InstantSource clock;

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

    /** Tokens of an issuer for an audience. */
    public Tokens(Jwts jwts, String issuer, String audience, Duration lifetime, InstantSource clock) {
        this.jwts = jwts;
        this.issuer = issuer;
        this.audience = audience;
        this.lifetime = lifetime;
        this.clock = clock;
    }

    /** Issues a token for a user who signed in, with the generation of the user's access. */
    public Issued issue(SignIn signIn, long generation) {
        Instant now = clock.instant();
        Instant expiresAt = now.plus(lifetime);
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("iss", issuer);
        claims.put("sub", signIn.userId());
        claims.put("aud", audience);
        claims.put("iat", now.getEpochSecond());
        claims.put("exp", expiresAt.getEpochSecond());
        claims.put("jti", UUID.randomUUID().toString());
        claims.put(CREDENTIAL, signIn.passkey().credentialId());
        claims.put(GRANT, Grant.createdAt(signIn.passkey()) + "." + generation);
        claims.put("auth_time", signIn.at().getEpochSecond());
        claims.put("amr", signIn.methods());
        claims.put("acr", SignIn.contextClass(signIn.methods()));
        return new Issued(jwts.sign(JOSEObjectType.JWT, JWSAlgorithm.ES256, claims), expiresAt);
    }

    /** Verifies a token; returns null if it is invalid, expired, or for another issuer or audience. */
    public @Nullable Claims check(String text) {
        Verified token = text.length() > MAX_LENGTH ? null : jwts.verify(JOSEObjectType.JWT, text);
        try {
            return token == null || !JWSAlgorithm.ES256.equals(token.algorithm())
                    ? null
                    : judge(token.claims(), token.keyId());
        } catch (ParseException e) {
            return null;
        }
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
