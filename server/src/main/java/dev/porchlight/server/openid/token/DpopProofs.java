// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.porchlight.base.Bytes;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.openid.protocol.Refusal;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.openid.protocol.RefusedException;
import dev.porchlight.server.openid.protocol.UsedTokens;
import dev.porchlight.server.token.Jwts;
import java.net.URI;
import java.net.URISyntaxException;
import java.sql.Connection;
import java.sql.SQLException;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Verifies DPoP proofs by RFC 9449, section 4.3: fresh, for this endpoint, and used once on all instances. Thread-safe. */
public final class DpopProofs {
    /** The name of the header with the proof. */
    public static final String HEADER = "DPoP";

    public static final Set<JWSAlgorithm> ALGORITHMS = Set.of(JWSAlgorithm.ES256);

    /** The algorithms as in a challenge. */
    static final String ALGORITHM_NAMES = JWSAlgorithm.ES256.getName();

    private static final JOSEObjectType TYPE = new JOSEObjectType("dpop+jwt");
    private static final Duration MAX_AGE = Duration.ofSeconds(60);
    private static final Duration CLOCK_SKEW = Duration.ofSeconds(30);
    private static final int MAX_LENGTH = 4_096;
    private static final int MAX_ID = 256;
    private static final String USED = "a proof that was used";

    private final String issuer;
    private final Sql sql;
    private final InstantSource clock;

    public DpopProofs(String issuer, Sql sql, InstantSource clock) {
        this.issuer = issuer;
        this.sql = sql;
        this.clock = clock;
    }

    /**
     * The thumbprint of the key that the headers of a pushed request prove, or null if they have no proof (RFC 9449, section
     * 10.1). Anyone can push one for a public client, so nothing is stored: a proof that is sent again only binds a code to a key
     * that the sender does not have.
     */
    public @Nullable String announcedThumbprint(List<String> headers, String path) throws RefusedException {
        Proof proof = announced(headers, path);
        return proof == null ? null : proof.thumbprint();
    }

    /** The proof in the headers of a request, or null. It is not used up. */
    @Nullable
    Proof announced(List<String> headers, String path) throws RefusedException {
        SignedJWT proof = proof(headers);
        return proof == null ? null : verify(proof, "POST", path, null);
    }

    /** Verifies the proof that comes with a bound access token, and uses it up; a request without a proof is refused. */
    void verify(Exchange exchange, String path, String accessToken, String thumbprint) throws RefusedException {
        SignedJWT given = proof(exchange.headers(HEADER));
        if (given == null) {
            throw invalid("no proof");
        }
        Proof proof = verify(given, exchange.method(), path, accessToken);
        require(proof.thumbprint().equals(thumbprint), "a proof with another key");
        require(UsedTokens.use(sql, proof.mark(), proof.end()), USED);
    }

    /** A proof that is valid if it was not used before. */
    record Proof(String thumbprint, String id, Instant issuedAt) {
        private String mark() {
            return "proof " + thumbprint + ' ' + id;
        }

        private Instant end() {
            return issuedAt.plus(MAX_AGE).plus(CLOCK_SKEW);
        }

        /** Uses it up within a transaction of the caller, and returns why that is refused, or null. */
        @Nullable
        Refusal use(Connection connection) throws SQLException {
            return UsedTokens.use(connection, mark(), end())
                    ? null
                    : invalid(USED).refusal();
        }
    }

    private Proof verify(SignedJWT proof, String method, String path, @Nullable String accessToken)
            throws RefusedException {
        try {
            ECKey key = key(proof);
            require(proof.verify(new ECDSAVerifier(key)), "a proof with an invalid signature");
            JWTClaimsSet claims = proof.getJWTClaimsSet();
            require(method.equals(claims.getStringClaim("htm")), "a proof for another method");
            require(isFor(claims.getStringClaim("htu"), path), "a proof for another URI");
            String ath = accessToken == null
                    ? null
                    : Bytes.ofUtf8(accessToken).sha256().base64Url();
            require(ath == null || ath.equals(claims.getStringClaim("ath")), "a proof for another access token");
            String id = claims.getJWTID();
            require(id != null && !id.isEmpty() && id.length() <= MAX_ID, "a proof without a usable jti");
            Instant now = clock.instant();
            Instant issuedAt = claims.getIssueTime() == null
                    ? Instant.MIN
                    : claims.getIssueTime().toInstant();
            require(issuedAt.isAfter(now.minus(MAX_AGE).minus(CLOCK_SKEW)), "a proof without iat, or an old one");
            require(issuedAt.isBefore(now.plus(CLOCK_SKEW)), "a proof of the future");
            return new Proof(key.computeThumbprint().toString(), id, issuedAt);
        } catch (JOSEException | ParseException e) {
            throw invalid("a malformed proof");
        }
    }

    /** The key in a proof's header, which must be what the standard says and nothing more. */
    private static ECKey key(SignedJWT proof) throws RefusedException {
        var header = proof.getHeader();
        require(TYPE.equals(header.getType()), "a JWT of another type");
        require(ALGORITHMS.contains(header.getAlgorithm()), "another algorithm");
        require(!Jwts.isConditional(header), "a header with crit or b64");
        if (header.getJWK() instanceof ECKey key && Curve.P_256.equals(key.getCurve()) && !key.isPrivate()) {
            return key;
        }
        throw invalid("no public P-256 key in the header");
    }

    /** Whether {@code htu} is the URI of this request, ignoring query and fragment, and the case of scheme and host. */
    private boolean isFor(@Nullable String htu, String path) {
        try {
            URI uri = new URI(htu == null ? "" : htu);
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            String host = uri.getHost() == null ? "" : uri.getHost().toLowerCase(Locale.ROOT);
            int port = uri.getPort() == (scheme.equals("https") ? 443 : 80) ? -1 : uri.getPort();
            String origin = scheme + "://" + host + (port < 0 ? "" : ":" + port);
            return uri.getRawUserInfo() == null && (issuer + path).equals(origin + uri.getRawPath());
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static @Nullable SignedJWT proof(List<String> proofs) throws RefusedException {
        if (proofs.isEmpty()) {
            return null;
        }
        require(proofs.size() == 1 && proofs.get(0).length() <= MAX_LENGTH, "several proofs, or one that is too long");
        try {
            return SignedJWT.parse(proofs.get(0));
        } catch (ParseException e) {
            throw invalid("not a JWT");
        }
    }

    private static void require(boolean holds, String found) throws RefusedException {
        if (!holds) {
            throw invalid(found);
        }
    }

    private static RefusedException invalid(String found) {
        return Reason.INVALID_DPOP_PROOF.refused("DPoP", "a fresh proof for this request, signed with ES256", found);
    }
}
