// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.PublicKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The public key of a credential, in its only allowed encoding. Immutable. */
public sealed interface CredentialPublicKey permits EcKey, Ed25519Key, MlDsaKey, RsaKey {
    /** The only algorithm that this key verifies. */
    CredentialAlgorithm algorithm();

    /** Returns the JWK to store. */
    default String toJwk() {
        return JsonWriter.object(this::writeTo);
    }

    void writeTo(JsonWriter jwk);

    /** The names of the members that {@link #writeTo} writes. */
    List<String> members();

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
        return switch (algorithm) {
            case ES256 -> EcKey.fromCose(EcCurve.P256, key.members());
            case ES384 -> EcKey.fromCose(EcCurve.P384, key.members());
            case ES512 -> EcKey.fromCose(EcCurve.P521, key.members());
            case EDDSA -> Ed25519Key.fromCose(key.members());
            case RS256, PS256 -> RsaKey.fromCose(algorithm, key.members());
            case ML_DSA_44, ML_DSA_65, ML_DSA_87 -> MlDsaKey.fromCose(algorithm, key.members());
        };
    }

    /** Parses a stored JWK, with exactly the members that {@link #toJwk} writes. */
    static CredentialPublicKey fromJwk(String json) throws MalformedException {
        EcKey canonical = EcKey.fromCanonicalJwk(json); // nearly every row has this form
        if (canonical != null) {
            return canonical;
        }
        JsonObject jwk = JsonObject.parse(json, "jwk");
        CredentialPublicKey key = read(jwk);
        List<String> members = key.members();
        if (jwk.names().size() != members.size()) {
            int last = members.size() - 1;
            throw new MalformedException(
                    "jwk",
                    "members other than " + String.join(", ", members.subList(0, last)) + " and " + members.get(last));
        }
        return key;
    }

    private static CredentialPublicKey read(JsonObject jwk) throws MalformedException {
        return switch (jwk.text("kty")) {
            case EcKey.KTY -> EcKey.read(jwk);
            case RsaKey.KTY -> RsaKey.read(jwk);
            case Ed25519Key.KTY -> Ed25519Key.read(jwk);
            case MlDsaKey.KTY -> MlDsaKey.read(jwk);
            default -> throw jwk.malformed("kty", "not EC, OKP, RSA or AKP");
        };
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
        CredentialPublicKey key = read(jwk);
        String label = jwk.optionalText("alg");
        if (label != null && !label.equals(key.algorithm().label())) {
            throw jwk.malformed("alg", "not " + key.algorithm());
        }
        return key;
    }
}
