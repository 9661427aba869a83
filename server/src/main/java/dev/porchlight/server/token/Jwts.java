// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonTree;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.text.ParseException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Signs and verifies JWTs with the service's signing keys. Thread-safe.
 *
 * <p>A token cannot choose how it is verified: the key must be in the key ring, and decides the algorithm.
 */
public final class Jwts {
    private final KeyRing keys;
    private final @Nullable Provider provider;
    private final Map<JWSAlgorithm, Signer> signers = new ConcurrentHashMap<>();
    /** By key id, as many as the ring had keys. */
    private final Map<String, JWSVerifier> verifiers = new ConcurrentHashMap<>();

    /** A private key of the provider, which takes longer to read than to use, with the encoded headers of its tokens by type. */
    private record Signer(String keyId, PrivateKey key, Map<JOSEObjectType, String> headers) {}

    /** A token and the id of the key that signed it. */
    public record Signed(String keyId, String text) {}

    /** The provider signs, and verifies ES256; null for the JDK's default. */
    public Jwts(KeyRing keys, @Nullable Provider provider) {
        this.keys = keys;
        this.provider = provider;
    }

    public String sign(JOSEObjectType type, JWSAlgorithm algorithm, Map<String, Object> claims) {
        return signed(type, algorithm, claims).text();
    }

    /** Puts the parts together itself: the SDK encodes each of them several times. */
    public Signed signed(JOSEObjectType type, JWSAlgorithm algorithm, Map<String, Object> claims) {
        try {
            Signer signer = signer(algorithm);
            String header = signer.headers().computeIfAbsent(type, key -> header(key, algorithm, signer.keyId()));
            String input = header + '.' + encode(JsonTree.write(claims));
            String name = algorithm.equals(JWSAlgorithm.ES256) ? "SHA256withECDSAinP1363Format" : "SHA256withRSA";
            Signature signature =
                    provider == null ? Signature.getInstance(name) : Signature.getInstance(name, provider);
            signature.initSign(signer.key());
            signature.update(input.getBytes(StandardCharsets.US_ASCII));
            String encoded = Bytes.copyOf(signature.sign()).base64Url();
            return new Signed(signer.keyId(), input + '.' + encoded);
        } catch (JOSEException | GeneralSecurityException e) {
            throw new IllegalStateException("the key signs " + algorithm, e);
        }
    }

    private static String header(JOSEObjectType type, JWSAlgorithm algorithm, String keyId) {
        return encode(
                new JWSHeader.Builder(algorithm).type(type).keyID(keyId).build().toString());
    }

    private static String encode(String json) {
        return Bytes.ofUtf8(json).base64Url();
    }

    private Signer signer(JWSAlgorithm algorithm) throws JOSEException, GeneralSecurityException {
        JWK key = keys.signing(algorithm);
        Signer known = signers.get(algorithm);
        if (known == null || !known.keyId().equals(key.getKeyID())) {
            PrivateKey ours = ((AsymmetricJWK) key).toPrivateKey();
            PrivateKey theirs = provider == null
                    ? ours
                    : KeyFactory.getInstance(ours.getAlgorithm(), provider)
                            .generatePrivate(new PKCS8EncodedKeySpec(ours.getEncoded()));
            known = new Signer(key.getKeyID(), theirs, new ConcurrentHashMap<>());
            signers.put(algorithm, known);
        }
        return known;
    }

    /** A JWT that a published key signed. It counts only while {@linkplain #isStored the key is stored}. */
    public record Verified(String keyId, JWSAlgorithm algorithm, JWTClaimsSet claims) {}

    /** Whether the database still has the key with this id. */
    public boolean isStored(String keyId) {
        return keys.isStored(keyId);
    }

    /** Verifies the signature of a JWT of this type; null if it is not one. Claims are not checked. */
    public @Nullable Verified verify(JOSEObjectType type, String text) {
        try {
            return verify(type, SignedJWT.parse(text));
        } catch (ParseException | IllegalArgumentException e) {
            return null;
        }
    }

    /** The same for one that is parsed. */
    public @Nullable Verified verify(JOSEObjectType type, SignedJWT token) {
        try {
            JWSHeader header = token.getHeader();
            JWK key = header.getKeyID() == null ? null : keys.named(header.getKeyID());
            return key != null
                            && type.equals(header.getType())
                            && KeyRing.algorithm(key).equals(header.getAlgorithm())
                            && isCanonical(token.getSignature())
                            && token.verify(verifier(key))
                    ? new Verified(key.getKeyID(), header.getAlgorithm(), token.getJWTClaimsSet())
                    : null;
        } catch (ParseException | JOSEException | IllegalArgumentException e) {
            return null;
        }
    }

    /** Whether a header has {@code crit} or {@code b64}, which change how it is read. No JWT for this service needs them. */
    public static boolean isConditional(JWSHeader header) {
        try {
            Map<String, Object> members =
                    JSONObjectUtils.parse(header.toBase64URL().decodeToString());
            return members.containsKey("crit") || members.containsKey("b64");
        } catch (ParseException e) {
            return true;
        }
    }

    /** The signature does not cover its own encoding, so padding and stray bits are refused here. */
    private static boolean isCanonical(Base64URL signature) {
        return Base64URL.encode(signature.decode()).equals(signature);
    }

    private JWSVerifier verifier(JWK key) throws JOSEException {
        JWSVerifier known = verifiers.get(key.getKeyID());
        if (known == null) {
            if (key instanceof ECKey ec) {
                ECDSAVerifier verifier = new ECDSAVerifier(ec.toPublicJWK());
                if (provider != null) {
                    verifier.getJCAContext().setProvider(provider);
                }
                known = verifier;
            } else {
                known = new RSASSAVerifier(key.toRSAKey().toPublicJWK());
            }
            verifiers.put(key.getKeyID(), known);
        }
        return known;
    }
}
