// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.data.CborMap;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A public key for ML-DSA (FIPS 204), of COSE's type AKP: the algorithm and its bytes. All bytes of the right number are a key.
 * Immutable.
 */
public record MlDsaKey(CredentialAlgorithm algorithm, Bytes pub) implements CredentialPublicKey {
    static final String KTY = "AKP";
    private static final String PART = CoseKey.PART;

    /** The sizes of an algorithm, and its SubjectPublicKeyInfo up to the key. */
    private record Sizes(int key, int signature, Bytes spkiStart) {
        private static final Sizes ML_DSA_44 = of(1_312, 2_420, 17);
        private static final Sizes ML_DSA_65 = of(1_952, 3_309, 18);
        private static final Sizes ML_DSA_87 = of(2_592, 4_627, 19);

        private static Sizes of(int key, int signature, int oid) {
            Bytes start = Bytes.ofHex(
                    String.format("3082%04x300b06096086480165030403%02x0382%04x00", key + 18, oid, key + 1));
            return new Sizes(key, signature, start);
        }

        static Sizes of(CredentialAlgorithm algorithm) {
            return switch (algorithm) {
                case ML_DSA_44 -> ML_DSA_44;
                case ML_DSA_65 -> ML_DSA_65;
                case ML_DSA_87 -> ML_DSA_87;
                default -> throw new IllegalArgumentException(algorithm + " is not ML-DSA");
            };
        }
    }

    /** Creates a key of the algorithm's length. */
    public MlDsaKey {
        int length = Sizes.of(algorithm).key;
        if (pub.size() != length) {
            throw new IllegalArgumentException("a key that is not " + length + " bytes");
        }
    }

    /** Parses a COSE key with exactly kty, alg and pub. WebAuthn allows no other member. */
    static MlDsaKey fromCose(CredentialAlgorithm algorithm, CborMap key) throws MalformedException {
        CoseKey.expect(key, 1, 7, "kty", "not AKP (7)");
        CoseKey.expectAlgorithm(key, algorithm);
        Bytes pub = CborMap.bytes(key.get(-1), PART + ".pub");
        if (key.size() != 3) {
            throw new MalformedException(PART, "members other than kty, alg and pub");
        }
        return of(algorithm, pub, PART);
    }

    static MlDsaKey read(JsonObject jwk) throws MalformedException {
        String label = jwk.text("alg");
        for (CredentialAlgorithm algorithm : CredentialAlgorithm.values()) {
            if (algorithm.label().equals(label) && label.startsWith("ML-DSA-")) {
                return of(algorithm, jwk.bytes("pub", Sizes.of(algorithm).key + 1), "jwk");
            }
        }
        throw jwk.malformed("alg", "not ML-DSA-44, ML-DSA-65 or ML-DSA-87");
    }

    private static MlDsaKey of(CredentialAlgorithm algorithm, Bytes pub, String part) throws MalformedException {
        try {
            return new MlDsaKey(algorithm, pub);
        } catch (IllegalArgumentException e) {
            throw new MalformedException(part + ".pub", String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void writeTo(JsonWriter jwk) {
        jwk.text("kty", KTY).text("alg", algorithm.label()).bytes("pub", pub);
    }

    @Override
    public List<String> members() {
        return List.of("kty", "alg", "pub");
    }

    @Override
    public boolean matches(PublicKey other) {
        return Arrays.equals(spki().toByteArray(), other.getEncoded());
    }

    @Override
    public boolean verify(@Nullable Provider provider, Bytes signature, Bytes... signed)
            throws GeneralSecurityException {
        if (signature.size() != Sizes.of(algorithm).signature) {
            return false;
        }
        String name = algorithm.jcaName();
        Provider used = SignatureVerifier.having(provider, name, name);
        return SignatureVerifier.verify(name, used, SignatureVerifier.key(name, used, spki()), signature, signed);
    }

    private Bytes spki() {
        return Sizes.of(algorithm).spkiStart.concat(pub);
    }
}
