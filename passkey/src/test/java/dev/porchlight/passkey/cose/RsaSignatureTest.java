// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.security.Signature;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The vectors of Wycheproof, in {@link CoseVectorsTest}, cover the padding. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RsaSignatureTest {
    private static final Bytes MESSAGE = Bytes.ofUtf8("message");

    private final SignatureVerifier verifier = new SignatureVerifier();
    private CredentialKey keys;
    private RsaKey key;

    @BeforeAll
    void generate() {
        keys = KeyAlgorithm.RS256.generate(new SecureRandom());
        key = new RsaKey(CredentialAlgorithm.RS256, Bytes.copyOf(keys.modulus()));
    }

    @Test
    void a_signature_of_the_jdk_verifies() throws Exception {
        Bytes signature = sign("SHA256withRSA");
        assertThat(verifier.verify(key, signature, MESSAGE)).isTrue();
        assertThat(verifier.verify(key, signature, MESSAGE.slice(0, 3), MESSAGE.slice(3, 7)))
                .isTrue();
        assertThat(verifier.verify(key, signature, Bytes.EMPTY)).isFalse();
    }

    @Test
    void T32_a_key_verifies_one_of_the_two_paddings() throws Exception {
        RsaKey pss = new RsaKey(CredentialAlgorithm.PS256, key.n());
        Bytes padded = sign("SHA256withRSA");
        Bytes salted = Bytes.copyOf(keys.sign(MESSAGE.toByteArray(), "RSASSA-PSS"));
        assertThat(verifier.verify(pss, salted, MESSAGE)).isTrue();
        assertThat(verifier.verify(pss, salted, Bytes.EMPTY)).isFalse();
        assertThat(verifier.verify(pss, padded, MESSAGE)).isFalse();
        assertThat(verifier.verify(key, salted, MESSAGE)).isFalse();
        for (int bit = 0; bit < 8 * salted.size(); bit += 37) {
            byte[] flipped = salted.toByteArray();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(verifier.verify(pss, Bytes.copyOf(flipped), MESSAGE))
                    .as("bit %d", bit)
                    .isFalse();
        }
        assertThat(CredentialPublicKey.fromJwk(pss.toJwk())).isEqualTo(pss);
        assertThat(pss.toJwk()).startsWith("{\"kty\":\"RSA\",\"alg\":\"PS256\",\"n\":");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SHA1withRSA", "SHA224withRSA", "SHA384withRSA", "SHA512withRSA", "SHA512/256withRSA"})
    void T28_other_hashes_are_refused(String algorithm) throws Exception {
        assertThat(verifier.verify(key, sign(algorithm), MESSAGE)).isFalse();
    }

    @Test
    void T28_every_flipped_bit_is_refused() throws Exception {
        byte[] signature = sign("SHA256withRSA").toByteArray();
        for (int bit = 0; bit < 8 * signature.length; bit += 37) {
            byte[] flipped = signature.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(verifier.verify(key, Bytes.copyOf(flipped), MESSAGE))
                    .as("bit %d", bit)
                    .isFalse();
        }
    }

    @Test
    void T29_other_lengths_are_refused() throws Exception {
        Bytes signature = sign("SHA256withRSA");
        Bytes zero = Bytes.ofHex("00");
        for (Bytes other : new Bytes[] {
            Bytes.EMPTY,
            zero,
            signature.slice(1, 256),
            signature.slice(0, 255),
            zero.concat(signature),
            signature.concat(zero),
            Bytes.copyOf(new byte[128]).concat(signature),
            Bytes.copyOf(new byte[512]).concat(signature)
        }) {
            assertThat(verifier.verify(key, other, MESSAGE))
                    .as("%d bytes", other.size())
                    .isFalse();
        }
    }

    /** s + n has the same remainder as s, so it must be refused although the result is the same. */
    @Test
    void T30_a_signature_that_is_not_below_the_modulus_is_refused() throws Exception {
        BigInteger sum = new BigInteger(1, sign("SHA256withRSA").toByteArray()).add(key.modulus());
        if (sum.bitLength() <= 2048) {
            byte[] bytes = sum.toByteArray();
            Bytes same = Bytes.copyOf(bytes).slice(bytes.length - 256, bytes.length);
            assertThat(verifier.verify(key, same, MESSAGE)).isFalse();
        }
        for (int number = 0; number < 2; number++) {
            byte[] tiny = new byte[256];
            tiny[255] = (byte) number;
            assertThat(verifier.verify(key, Bytes.copyOf(tiny), MESSAGE)).isFalse();
        }
    }

    @Test
    void T27_an_es256_key_never_verifies_an_rsa_signature_and_vice_versa() throws Exception {
        assertThat(verifier.verify(SignatureVerifier.KNOWN_KEY, sign("SHA256withRSA"), MESSAGE))
                .isFalse();
        assertThat(verifier.verify(key, SignatureVerifier.KNOWN_SIGNATURE, SignatureVerifier.KNOWN_MESSAGE))
                .isFalse();
    }

    private Bytes sign(String algorithm) throws Exception {
        Signature signature = Signature.getInstance(algorithm, "SunRsaSign");
        signature.initSign(keys.privateKey());
        signature.update(MESSAGE.toByteArray());
        return Bytes.copyOf(signature.sign());
    }
}
