// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.PublicKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The public key of a credential, in its only allowed encoding. One class for each kind of key. Immutable. */
public interface CredentialPublicKey {
    /** The only algorithm that this key verifies. */
    CredentialAlgorithm algorithm();

    /** The byte strings of its encoding, in the order of its {@link KeyType}. */
    List<Bytes> values();

    /** Returns the JWK to store. */
    default String toJwk() {
        return KeyType.of(algorithm()).jwk(values());
    }

    /** Returns whether a JCA key, such as that of a certificate, is the same key. */
    boolean matches(PublicKey other);

    /**
     * Verifies a signature over the concatenated parts, for {@link SignatureVerifier}, which treats any exception as an invalid
     * signature.
     *
     * @param provider the provider to use if it has the algorithm; null for the JDK's default
     */
    boolean verify(@Nullable Provider provider, Bytes signature, Bytes... signed)
            throws GeneralSecurityException, MalformedException;

    /** Parses a received key. The algorithm in the key decides how, so a key is never used with another one. */
    static CredentialPublicKey fromCose(CoseKey key) throws MalformedException {
        CredentialAlgorithm algorithm = CredentialAlgorithm.of(key.algorithm())
                .orElseThrow(() -> new MalformedException(CoseKey.PART + ".alg", "an unknown algorithm"));
        return KeyType.of(algorithm).fromCose(key.members());
    }

    /** Parses a stored JWK, with exactly the members that {@link #toJwk} writes. */
    static CredentialPublicKey fromJwk(String json) throws MalformedException {
        return KeyType.parse(json);
    }

    /**
     * Parses a JWK from another system. Other members, such as {@code kid}, are ignored, except for those that contradict the
     * public key: another algorithm, or a private key.
     */
    static CredentialPublicKey fromForeignJwk(JsonObject jwk) throws MalformedException {
        for (String member : List.of("d", "p", "q", "dp", "dq", "qi", "oth", "priv")) {
            if (jwk.names().contains(member)) {
                throw jwk.malformed(member, "a private key, which must not leave its authenticator");
            }
        }
        CredentialPublicKey key = KeyType.of(jwk).read(jwk);
        String label = jwk.optionalText("alg");
        // RFC 9864 names EdDSA after its curve.
        if (label != null
                && !label.equals(key.algorithm().label())
                && !(label.equals("Ed25519") && key.algorithm() == CredentialAlgorithm.EDDSA)) {
            throw jwk.malformed("alg", "not " + key.algorithm());
        }
        return key;
    }
}
