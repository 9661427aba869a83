// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import static dev.porchlight.passkey.data.CborEncoder.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import java.security.Provider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MlDsaKeyTest {
    @ParameterizedTest
    @CsvSource({"ML_DSA_44, 1312", "ML_DSA_65, 1952", "ML_DSA_87, 2592"})
    void a_key_converts_from_cose_to_jwk_and_back(CredentialAlgorithm algorithm, int length) throws MalformedException {
        Bytes pub = Bytes.copyOf(new byte[length]);
        CredentialPublicKey key = CredentialPublicKey.fromCose(CoseKey.read(map(1, 7, 3, algorithm.cose(), -1, pub)));

        assertThat(key).isEqualTo(new MlDsaKey(algorithm, pub));
        assertThat(key.toJwk())
                .isEqualTo("{\"kty\":\"AKP\",\"alg\":\"" + algorithm + "\",\"pub\":\"" + pub.base64Url() + "\"}");
        assertThat(CredentialPublicKey.fromJwk(key.toJwk())).isEqualTo(key);
    }

    @ParameterizedTest
    @CsvSource({"ML_DSA_44, 1312", "ML_DSA_65, 1952", "ML_DSA_87, 2592"})
    void T32_other_members_types_and_lengths_are_refused(CredentialAlgorithm algorithm, int length) {
        long alg = algorithm.cose();
        Bytes pub = Bytes.copyOf(new byte[length]);
        refuse(algorithm, ".kty: not AKP (7)", 1, 2, 3, alg, -1, pub);
        refuse(algorithm, ".alg: not " + algorithm + " (" + alg + ")", 1, 7, 3, -7, -1, pub);
        refuse(algorithm, ".pub: not a byte string", 1, 7, 3, alg);
        refuse(algorithm, ": members other than kty, alg, pub", 1, 7, 3, alg, -1, pub, -2, pub);
        String wrongLength = ": a key that is not " + length + " bytes";
        refuse(algorithm, wrongLength, 1, 7, 3, alg, -1, pub.slice(1, length));
        refuse(algorithm, wrongLength, 1, 7, 3, alg, -1, pub.concat(Bytes.ofHex("00")));
    }

    /** The providers that have ML-DSA never see a signature of another length. */
    @ParameterizedTest
    @CsvSource({"ML_DSA_44, 2420", "ML_DSA_65, 3309", "ML_DSA_87, 4627"})
    void a_provider_is_called_for_signatures_of_the_right_length_only(CredentialAlgorithm algorithm, int length)
            throws Exception {
        var key = (MlDsaKey) KeyType.of(algorithm).decoy();
        for (int other : new int[] {0, length - 1, length + 1}) {
            assertThat(key.verify(new UnusedProvider(), Bytes.copyOf(new byte[other]), Bytes.EMPTY))
                    .isFalse();
        }
        Provider provider = NativeProvider.of(algorithm);
        assertThat(key.verify(provider, Bytes.copyOf(new byte[length]), Bytes.EMPTY))
                .isFalse();
    }

    private static void refuse(CredentialAlgorithm algorithm, String message, Object... members) {
        assertThatThrownBy(() -> KeyType.of(algorithm).fromCose(map(members)))
                .isInstanceOf(MalformedException.class)
                .hasMessage("credentialPublicKey" + message);
    }
}
