// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.dpop.JWKThumbprintConfirmation;
import com.nimbusds.oauth2.sdk.dpop.verifiers.AccessTokenValidationException;
import com.nimbusds.oauth2.sdk.dpop.verifiers.DPoPIssuer;
import com.nimbusds.oauth2.sdk.dpop.verifiers.DPoPProofUse;
import com.nimbusds.oauth2.sdk.dpop.verifiers.DPoPProtectedResourceRequestVerifier;
import com.nimbusds.oauth2.sdk.dpop.verifiers.DPoPTokenRequestVerifier;
import com.nimbusds.oauth2.sdk.dpop.verifiers.InvalidDPoPProofException;
import com.nimbusds.oauth2.sdk.token.DPoPAccessToken;
import com.nimbusds.oauth2.sdk.util.singleuse.AlreadyUsedException;
import com.nimbusds.oauth2.sdk.util.singleuse.SingleUseChecker;
import com.nimbusds.openid.connect.sdk.Nonce;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.openid.protocol.RefusedException;
import dev.porchlight.server.openid.protocol.UsedTokens;
import java.net.URI;
import java.text.ParseException;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Verifies DPoP proofs (RFC 9449): fresh, for this endpoint, and used once on all instances. Thread-safe. */
public final class DpopProofs {
    /** The name of the header with the proof. */
    public static final String HEADER = "DPoP";

    public static final Set<JWSAlgorithm> ALGORITHMS = Set.of(JWSAlgorithm.ES256);

    /** The algorithms as in a challenge. */
    static final String ALGORITHM_NAMES =
            ALGORITHMS.stream().map(JWSAlgorithm::getName).collect(Collectors.joining(" "));

    private static final long MAX_AGE_SECONDS = 60;
    private static final long CLOCK_SKEW_SECONDS = 5;
    private static final @Nullable Set<Nonce> NO_NONCES = null;
    private static final int MAX_LENGTH = 4_096;

    private final String issuer;
    private final SingleUseChecker<DPoPProofUse> singleUse;

    public DpopProofs(String issuer, Sql sql, InstantSource clock) {
        this.issuer = issuer;
        this.singleUse = proof -> {
            String name = "proof " + proof.getIssuer().getValue() + ' '
                    + proof.getJWTID().getValue();
            if (!UsedTokens.use(sql, name, clock.instant().plusSeconds(proof.getMaxAge() + CLOCK_SKEW_SECONDS))) {
                throw new AlreadyUsedException("the proof was used before");
            }
        };
    }

    /** The thumbprint of the key that these headers prove for a token request, or null if they have no proof. */
    @Nullable
    String thumbprint(List<String> headers, String path) throws RefusedException {
        return thumbprint(headers, path, singleUse);
    }

    /**
     * The same for a pushed request (RFC 9449, section 10.1). Anyone can push one for a public client, so nothing is stored: a
     * proof that is sent again only binds a code to a key that the sender does not have.
     */
    public @Nullable String announcedThumbprint(List<String> headers, String path) throws RefusedException {
        return thumbprint(headers, path, null);
    }

    private @Nullable String thumbprint(List<String> headers, String path, @Nullable SingleUseChecker<DPoPProofUse> use)
            throws RefusedException {
        SignedJWT proof = proof(headers);
        if (proof == null) {
            return null;
        }
        var verifier = new DPoPTokenRequestVerifier(
                ALGORITHMS, URI.create(issuer + path), CLOCK_SKEW_SECONDS, MAX_AGE_SECONDS, use);
        try {
            return verifier.verify(issuerOf(proof), proof, NO_NONCES).getValue().toString();
        } catch (InvalidDPoPProofException | JOSEException | IllegalArgumentException e) {
            throw invalid(e.getMessage());
        }
    }

    /** Verifies the proof that comes with a bound access token; refused if there is none. */
    void verify(Exchange exchange, String path, String accessToken, String thumbprint) throws RefusedException {
        SignedJWT proof = proof(exchange.headers(HEADER));
        if (proof == null) {
            throw invalid("no proof");
        }
        var verifier =
                new DPoPProtectedResourceRequestVerifier(ALGORITHMS, CLOCK_SKEW_SECONDS, MAX_AGE_SECONDS, singleUse);
        try {
            verifier.verify(
                    exchange.method(),
                    URI.create(issuer + path),
                    issuerOf(proof),
                    proof,
                    new DPoPAccessToken(accessToken),
                    new JWKThumbprintConfirmation(new Base64URL(thumbprint)),
                    NO_NONCES,
                    null);
        } catch (InvalidDPoPProofException
                | AccessTokenValidationException
                | JOSEException
                | IllegalArgumentException e) {
            throw invalid(e.getMessage());
        }
    }

    /** The key that signed a proof identifies its issuer. */
    private static DPoPIssuer issuerOf(SignedJWT proof) throws RefusedException {
        try {
            if (proof.getHeader().getJWK() == null) {
                throw invalid("no key in the proof");
            }
            return new DPoPIssuer(proof.getHeader().getJWK().computeThumbprint().toString());
        } catch (JOSEException e) {
            throw invalid("an unusable key");
        }
    }

    private static @Nullable SignedJWT proof(List<String> proofs) throws RefusedException {
        if (proofs.isEmpty()) {
            return null;
        }
        if (proofs.size() > 1 || proofs.get(0).length() > MAX_LENGTH) {
            throw invalid("several proofs, or one that is too long");
        }
        try {
            return SignedJWT.parse(proofs.get(0));
        } catch (ParseException e) {
            throw invalid("not a JWT");
        }
    }

    private static RefusedException invalid(@Nullable String found) {
        return Reason.INVALID_DPOP_PROOF.refused(
                "DPoP",
                "a fresh proof for this request, signed with ES256",
                found == null ? "an invalid proof" : found);
    }
}
