// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import static dev.porchlight.passkey.data.CborEncoder.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.data.CborMap;
import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.security.Security;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** T32: one encoding of each key and signature. */
class Ed25519KeyTest {
    private static final BigInteger P = BigInteger.ONE.shiftLeft(255).subtract(BigInteger.valueOf(19));
    private static final BigInteger L =
            BigInteger.ONE.shiftLeft(252).add(new BigInteger("27742317777372353535851937790883648493"));
    private static final Bytes MESSAGE = Bytes.ofUtf8("message");

    private final CredentialKey pair = KeyAlgorithm.EDDSA.generate(new SecureRandom());
    private final Bytes x = Bytes.copyOf((byte[]) pair.cose().get(-2));
    private final SignatureVerifier verifier = new SignatureVerifier();

    @ParameterizedTest
    @ValueSource(longs = {-8, -19})
    void a_key_converts_from_cose_to_jwk_and_back(long alg) throws MalformedException {
        CredentialPublicKey key = CredentialPublicKey.fromCose(CoseKey.read(map(1, 1, 3, alg, -1, 6, -2, x)));

        assertThat(key).isEqualTo(new Ed25519Key(x));
        assertThat(key.algorithm()).isEqualTo(CredentialAlgorithm.EDDSA);
        assertThat(key.toJwk()).isEqualTo("{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"" + x.base64Url() + "\"}");
        assertThat(CredentialPublicKey.fromJwk(key.toJwk())).isEqualTo(key);
        assertThat(key.matches(pair.publicKey())).isTrue();
        assertThat(key.matches(KeyAlgorithm.EDDSA.generate(new SecureRandom()).publicKey()))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"EdDSA, true", "Ed25519, true", "Ed448, false", "ES256, false"})
    void the_jwk_of_another_system_may_have_the_fully_specified_name(String alg, boolean accepted)
            throws MalformedException {
        String own = new Ed25519Key(x).toJwk();
        JsonObject foreign = JsonObject.parse(own.replace("{", "{\"alg\":\"" + alg + "\","), "jwk");
        if (accepted) {
            assertThat(CredentialPublicKey.fromForeignJwk(foreign)).isEqualTo(new Ed25519Key(x));
        } else {
            assertThatThrownBy(() -> CredentialPublicKey.fromForeignJwk(foreign))
                    .hasMessage("jwk.alg: not EdDSA");
        }
    }

    @Test
    void T32_other_members_curves_and_lengths_are_refused() {
        refuse(map(1, 2, 3, -8, -1, 6, -2, x), ".kty: not OKP (1)");
        refuse(map(1, 1, 3, -8, -1, 7, -2, x), ".crv: not Ed25519 (6)");
        refuse(map(1, 1, 3, -8, -1, 6), ".x: not a byte string");
        refuse(map(1, 1, 3, -8, -1, 6, -2, x, -3, x), ": members other than kty, alg, crv, x");
        refuse(map(1, 1, 3, -8, -1, 6, -2, x.slice(1, 32)), ": a point that is not 32 bytes");
        refuse(map(1, 1, 3, -8, -1, 6, -2, x.concat(x)), ": a point that is not 32 bytes");
        assertThatThrownBy(() -> CredentialPublicKey.fromCose(new CoseKey(-8, map(1, 1, 3, -7, -1, 6, -2, x))))
                .hasMessage("credentialPublicKey.alg: not EdDSA (-8)");
    }

    /** Each point with both signs of x. Those with x = 0 and the sign set are not canonical either. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0100000000000000000000000000000000000000000000000000000000000000",
                "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                "0000000000000000000000000000000000000000000000000000000000000000",
                "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
                "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            })
    void T32_points_of_small_order_are_refused(String hex) {
        byte[] point = Bytes.ofHex(hex).toByteArray();
        refuse(map(1, 1, 3, -8, -1, 6, -2, Bytes.copyOf(point)), ": a point of small order");
        point[31] |= (byte) 0x80;
        refuse(map(1, 1, 3, -8, -1, 6, -2, Bytes.copyOf(point)), ": a point of small order");
        assertThat(isOfSmallOrder(Bytes.ofHex(hex))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "3", "18"})
    void T32_a_coordinate_outside_the_field_is_refused(int above) {
        Bytes point = littleEndian(P.add(BigInteger.valueOf(above)));
        refuse(map(1, 1, 3, -8, -1, 6, -2, point), ": a coordinate outside the field");
    }

    @Test
    void T31_a_coordinate_without_a_point_is_refused() {
        refuse(map(1, 1, 3, -8, -1, 6, -2, littleEndian(BigInteger.TWO)), ": a point that is not on Ed25519");
    }

    @Test
    void T28_a_signature_has_one_encoding() {
        var key = new Ed25519Key(x);
        Bytes signature = Bytes.copyOf(pair.sign(MESSAGE.toByteArray()));
        assertThat(verifier.verify(key, signature, MESSAGE)).isTrue();
        assertThat(verifier.verify(key, signature, Bytes.ofUtf8("mess"), Bytes.ofUtf8("age")))
                .isTrue();
        assertThat(verifier.verify(key, signature, Bytes.ofUtf8("another"))).isFalse();

        BigInteger s = new BigInteger(1, reversed(signature.slice(32, 64)));
        Bytes larger = signature.slice(0, 32).concat(littleEndian(s.add(L)));
        assertThat(verifier.verify(key, larger, MESSAGE)).isFalse();
        assertThat(verifier.verify(key, signature.concat(Bytes.ofHex("00")), MESSAGE))
                .isFalse();
        assertThat(verifier.verify(key, signature.slice(0, 63), MESSAGE)).isFalse();
        assertThat(verifier.verify(key, Bytes.EMPTY, MESSAGE)).isFalse();
    }

    /** The check does not depend on the provider. */
    @Test
    void T28_a_provider_is_called_for_canonical_signatures_only() throws Exception {
        var key = new Ed25519Key(x);
        Bytes signature = Bytes.copyOf(pair.sign(MESSAGE.toByteArray()));
        Bytes r = signature.slice(0, 32);
        Bytes s = signature.slice(32, 64);
        for (Bytes other : List.of(
                r.concat(littleEndian(L)),
                r.concat(Bytes.ofHex("ff".repeat(32))),
                littleEndian(P).concat(s),
                littleEndian(P.add(BigInteger.ONE)).concat(s),
                signature.slice(0, 63),
                signature.concat(Bytes.ofHex("00")))) {
            assertThat(key.verify(new UnusedProvider(), other, MESSAGE)).isFalse();
        }
        assertThat(key.verify(null, signature, MESSAGE)).isTrue();
    }

    @Test
    void a_provider_without_a_factory_for_these_keys_verifies_with_those_of_the_jdk() throws Exception {
        var provider = new ScriptedProvider(truth -> truth);
        var key = new Ed25519Key(x);
        Bytes signature = Bytes.copyOf(pair.sign(MESSAGE.toByteArray()));
        assertThat(key.verify(provider, signature, MESSAGE)).isTrue();
        assertThat(key.verify(provider, signature, Bytes.EMPTY)).isFalse();
        assertThat(provider.calls).isEqualTo(2);
        assertThat(key.verify(Security.getProvider("SunRsaSign"), signature, MESSAGE))
                .as("without these signatures")
                .isTrue();
    }

    /** Otherwise every passkey with such a key would be refused. */
    @Test
    void the_jdk_verifies_if_the_provider_refuses_its_keys() throws Exception {
        var provider = new ScriptedProvider(truth -> truth);
        provider.refusesKeys = true;
        var key = new Ed25519Key(x);
        Bytes signature = Bytes.copyOf(pair.sign(MESSAGE.toByteArray()));
        assertThat(key.verify(provider, signature, MESSAGE)).isTrue();
        assertThat(key.verify(provider, signature, Bytes.EMPTY)).isFalse();
        assertThat(provider.calls).isZero();
    }

    /** 8P is the neutral element, computed in affine coordinates. */
    private static boolean isOfSmallOrder(Bytes encoded) {
        BigInteger d = BigInteger.valueOf(-121665)
                .multiply(BigInteger.valueOf(121666).modInverse(P))
                .mod(P);
        BigInteger y = new BigInteger(1, reversed(encoded));
        BigInteger square = y.multiply(y).mod(P);
        // Only x² enters the doubling of y: y' = (y² + x²) / (1 - d·x²·y²), x'² = 4x²y² / (1 + d·x²·y²)²
        BigInteger x2 = square.subtract(BigInteger.ONE)
                .multiply(d.multiply(square).add(BigInteger.ONE).modInverse(P))
                .mod(P);
        for (int i = 0; i < 3; i++) {
            BigInteger y2 = y.multiply(y).mod(P);
            BigInteger product = d.multiply(x2).multiply(y2).mod(P);
            BigInteger below = BigInteger.ONE.add(product).modPow(BigInteger.TWO, P);
            y = y2.add(x2)
                    .multiply(BigInteger.ONE.subtract(product).modInverse(P))
                    .mod(P);
            x2 = x2.multiply(y2).shiftLeft(2).multiply(below.modInverse(P)).mod(P);
        }
        return y.equals(BigInteger.ONE) && x2.signum() == 0;
    }

    private static Bytes littleEndian(BigInteger number) {
        byte[] fixed = new byte[32];
        byte[] shortest = number.toByteArray();
        int sign = shortest.length > 32 ? 1 : 0;
        System.arraycopy(shortest, sign, fixed, 32 - shortest.length + sign, shortest.length - sign);
        return Bytes.copyOf(reversed(Bytes.copyOf(fixed)));
    }

    private static byte[] reversed(Bytes bytes) {
        byte[] reversed = new byte[bytes.size()];
        for (int i = 0; i < reversed.length; i++) {
            reversed[i] = (byte) bytes.at(reversed.length - 1 - i);
        }
        return reversed;
    }

    private static void refuse(CborMap cose, String message) {
        assertThatThrownBy(() -> KeyType.of(CredentialAlgorithm.EDDSA).fromCose(cose))
                .isInstanceOf(MalformedException.class)
                .hasMessage("credentialPublicKey" + message);
    }
}
