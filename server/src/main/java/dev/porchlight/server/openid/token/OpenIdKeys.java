// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jca.JCAAware;
import com.nimbusds.jose.jca.JCAContext;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.porchlight.server.token.KeyRing;
import java.security.Provider;
import java.text.ParseException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Signs and verifies the JWTs of OpenID Connect with the service's signing keys. Thread-safe. */
public final class OpenIdKeys {
    private static final int MAX_LENGTH = 8_192;

    private final KeyRing keys;
    private final @Nullable Provider provider;
    private volatile @Nullable Signer ellipticCurve;
    private volatile @Nullable Signer rsa;
    /** By key id, as many as the ring had keys. */
    private final Map<String, JWSVerifier> verifiers = new ConcurrentHashMap<>();

    /** A signer that is ready for use; to prepare it takes longer than to sign. */
    private record Signer(String keyId, JWSSigner signer) {}

    /**
     * Keys of a ring.
     *
     * @param provider signs and verifies ES256; null for the one that the JDK prefers
     */
    public OpenIdKeys(KeyRing keys, @Nullable Provider provider) {
        this.keys = keys;
        this.provider = provider;
    }

    String sign(String type, String algorithm, JWTClaimsSet claims) {
        try {
            Signer signer = JWSAlgorithm.RS256.getName().equals(algorithm) ? rsa() : ellipticCurve();
            var header = new JWSHeader.Builder(JWSAlgorithm.parse(algorithm))
                    .type(new JOSEObjectType(type))
                    .keyID(signer.keyId())
                    .build();
            var token = new SignedJWT(header, claims);
            token.sign(signer.signer());
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException("the key signs " + algorithm, e);
        }
    }

    /** A JWT that a published key signed. It counts only while {@linkplain KeyRing#isStored the key is stored}. */
    record SignedToken(String keyId, JWTClaimsSet claims) {}

    /** Whether the database still has the key with this id. */
    boolean isStored(String keyId) {
        return keys.isStored(keyId);
    }

    /** Verifies the signature of a JWT of this type; null if it is not one. Expiry is not checked. */
    @Nullable
    SignedToken verify(String type, String text) {
        try {
            return text.length() > MAX_LENGTH ? null : verify(type, SignedJWT.parse(text));
        } catch (ParseException | IllegalArgumentException e) {
            return null;
        }
    }

    /** The same for one that is parsed. */
    @Nullable
    SignedToken verify(String type, SignedJWT token) {
        try {
            String keyId = token.getHeader().getKeyID();
            JWK key = keyId == null ? null : keys.named(keyId);
            return keyId != null
                            && key != null
                            && new JOSEObjectType(type).equals(token.getHeader().getType())
                            && isSignedWith(token, key)
                    ? new SignedToken(keyId, token.getJWTClaimsSet())
                    : null;
        } catch (ParseException | JOSEException | IllegalArgumentException e) {
            return null;
        }
    }

    private boolean isSignedWith(SignedJWT token, JWK key) throws JOSEException {
        JWSAlgorithm expected = key instanceof ECKey ? JWSAlgorithm.ES256 : JWSAlgorithm.RS256;
        return expected.equals(token.getHeader().getAlgorithm()) && token.verify(verifier(key));
    }

    private JWSVerifier verifier(JWK key) throws JOSEException {
        JWSVerifier known = verifiers.get(key.getKeyID());
        if (known == null) {
            known = key instanceof ECKey ec
                    ? withProvider(new ECDSAVerifier(ec.toPublicJWK()))
                    : new RSASSAVerifier(key.toRSAKey().toPublicJWK());
            verifiers.put(key.getKeyID(), known);
        }
        return known;
    }

    private Signer ellipticCurve() throws JOSEException {
        ECKey key = keys.signing();
        Signer known = ellipticCurve;
        if (known == null || !known.keyId().equals(key.getKeyID())) {
            known = new Signer(
                    key.getKeyID(), withProvider(new ECDSASigner(key.toECPrivateKey(provider), Curve.P_256)));
            ellipticCurve = known;
        }
        return known;
    }

    private Signer rsa() throws JOSEException {
        RSAKey key = keys.signingRsa();
        Signer known = rsa;
        if (known == null || !known.keyId().equals(key.getKeyID())) {
            known = new Signer(key.getKeyID(), new RSASSASigner(key));
            rsa = known;
        }
        return known;
    }

    private <T extends JCAAware<JCAContext>> T withProvider(T operation) {
        if (provider != null) {
            operation.getJCAContext().setProvider(provider);
        }
        return operation;
    }
}
