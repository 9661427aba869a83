// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import java.security.PublicKey;
import java.util.List;

/** The public key of a credential, in its only allowed encoding. Immutable. */
public sealed interface CredentialPublicKey permits Es256Key, Rs256Key {
    /** The only algorithm that this key verifies. */
    CredentialAlgorithm algorithm();

    /** Returns the JWK to store. */
    default String toJwk() {
        return JsonWriter.object(this::writeTo);
    }

    void writeTo(JsonWriter jwk);

    /** Returns whether a JCA key, such as that of a certificate, is the same key. */
    boolean matches(PublicKey other);

    /** Parses a received key. The algorithm in the key decides how, so a key is never used with another one. */
    static CredentialPublicKey fromCose(CoseKey key) throws MalformedException {
        return key.algorithm() == CredentialAlgorithm.RS256.cose()
                ? Rs256Key.fromCose(key.members())
                : Es256Key.fromCose(key.members());
    }

    /** Parses a stored JWK, with exactly the members that {@link #toJwk} writes. */
    static CredentialPublicKey fromJwk(String json) throws MalformedException {
        return Rs256Key.isJwk(json) ? Rs256Key.fromJwk(json) : Es256Key.fromJwk(json);
    }

    /**
     * Parses a JWK from another system. Other members, such as {@code kid}, are ignored, except for those that contradict the
     * public key: another algorithm, or a private key.
     */
    static CredentialPublicKey fromForeignJwk(JsonObject jwk) throws MalformedException {
        boolean rsa = jwk.text("kty").equals(Rs256Key.KTY);
        for (String member : rsa ? List.of("d", "p", "q", "dp", "dq", "qi", "oth") : List.of("d")) {
            if (jwk.names().contains(member)) {
                throw jwk.malformed(member, "a private key, which must not leave its authenticator");
            }
        }
        CredentialAlgorithm only = rsa ? CredentialAlgorithm.RS256 : CredentialAlgorithm.ES256;
        String algorithm = jwk.optionalText("alg");
        if (algorithm != null && !algorithm.equals(only.name())) {
            throw jwk.malformed("alg", "not " + only);
        }
        return rsa ? Rs256Key.read(jwk) : Es256Key.read(jwk);
    }
}
