// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.cose.KeyType.Member;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A public key for ML-DSA (FIPS 204), of COSE's type AKP: the algorithm and its bytes. All bytes of the right number are a key.
 * Immutable.
 */
public record MlDsaKey(CredentialAlgorithm algorithm, Bytes pub) implements CredentialPublicKey {
    private static final Map<CredentialAlgorithm, Sizes> SIZES = Map.of(
            CredentialAlgorithm.ML_DSA_44, Sizes.of(1_312, 2_420, 17),
            CredentialAlgorithm.ML_DSA_65, Sizes.of(1_952, 3_309, 18),
            CredentialAlgorithm.ML_DSA_87, Sizes.of(2_592, 4_627, 19));

    /** The sizes of an algorithm, and its SubjectPublicKeyInfo up to the key. */
    private record Sizes(int key, int signature, Bytes spkiStart) {
        static Sizes of(int key, int signature, int oid) {
            String start = String.format("3082%04x300b06096086480165030403%02x0382%04x00", key + 18, oid, key + 1);
            return new Sizes(key, signature, Bytes.ofHex(start));
        }
    }

    /** Creates a key of the algorithm's length. */
    public MlDsaKey {
        int length = sizes(algorithm).key;
        if (pub.size() != length) {
            throw new IllegalArgumentException("a key that is not " + length + " bytes");
        }
    }

    static KeyType type(CredentialAlgorithm algorithm) {
        int length = sizes(algorithm).key;
        return new KeyType(
                algorithm,
                List.of(Member.kty(7, "AKP"), Member.alg(algorithm, true), Member.bytes("pub", -1, length + 1)),
                values -> new MlDsaKey(algorithm, values.get(0)),
                List.of(Bytes.copyOf(new byte[length])));
    }

    @Override
    public List<Bytes> values() {
        return List.of(pub);
    }

    @Override
    public boolean matches(PublicKey other) {
        return Arrays.equals(spki().toByteArray(), other.getEncoded());
    }

    @Override
    public boolean verify(@Nullable Provider provider, Bytes signature, Bytes... signed)
            throws GeneralSecurityException {
        if (signature.size() != sizes(algorithm).signature) {
            return false;
        }
        String name = algorithm.jcaName();
        Provider used = SignatureVerifier.having(provider, name, name);
        return SignatureVerifier.verify(name, used, SignatureVerifier.key(name, used, spki()), signature, signed);
    }

    private Bytes spki() {
        return sizes(algorithm).spkiStart.concat(pub);
    }

    private static Sizes sizes(CredentialAlgorithm algorithm) {
        return Objects.requireNonNull(SIZES.get(algorithm));
    }
}
