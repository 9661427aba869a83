// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import static dev.porchlight.passkey.data.CborEncoder.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.data.CborMap;
import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EcKeyTest {
    private static final Bytes X = Bytes.ofHex("60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6");
    private static final Bytes Y = Bytes.ofHex("7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299");
    private static final EcKey KEY = new EcKey(EcCurve.P256, X, Y);
    private static final String JWK =
            "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"" + X.base64Url() + "\",\"y\":\"" + Y.base64Url() + "\"}";
    private static final Bytes ZERO = Bytes.copyOf(new byte[32]);

    @Test
    void a_key_converts_from_cose_to_jwk_and_back() throws MalformedException {
        assertThat(KeyType.of(CredentialAlgorithm.ES256).fromCose(map(1, 2, 3, -7, -1, 1, -2, X, -3, Y)))
                .isEqualTo(KEY);
        assertThat(KEY.toJwk()).isEqualTo(JWK);
        assertThat(CredentialPublicKey.fromJwk(JWK)).isEqualTo(KEY);
    }

    @Test
    void jwk_members_may_be_in_any_order() throws MalformedException {
        assertThat(CredentialPublicKey.fromJwk("{ \"y\":\"" + Y.base64Url() + "\", \"x\":\"" + X.base64Url()
                        + "\", \"crv\":\"P-256\", \"kty\":\"EC\" }"))
                .isEqualTo(KEY);
    }

    @ParameterizedTest
    @CsvSource({"P384, ES384, 2, 48", "P521, ES512, 3, 66"})
    void keys_on_other_curves_convert_too(EcCurve curve, KeyAlgorithm algorithm, int crv, int length) throws Exception {
        CredentialKey pair = algorithm.generate(new SecureRandom());
        Bytes x = Bytes.copyOf((byte[]) pair.cose().get(-2));
        Bytes y = Bytes.copyOf((byte[]) pair.cose().get(-3));
        long alg = algorithm.cose();
        EcKey key = (EcKey) KeyType.of(curve.algorithm).fromCose(map(1, 2, 3, alg, -1, crv, -2, x, -3, y));

        assertThat(CredentialPublicKey.fromJwk(key.toJwk())).isEqualTo(key);
        assertThat(CredentialPublicKey.fromJwk(key.toJwk().replace(",", " ,"))).isEqualTo(key);
        assertThat(EcKey.of(pair.publicKey())).contains(key);
        assertThat(key.matches(pair.publicKey())).isTrue();
        assertThat(key.toPublicKey(null)).isEqualTo(pair.publicKey());
        Bytes message = Bytes.ofUtf8("message");
        Bytes signature = Bytes.copyOf(pair.sign(message.toByteArray()));
        assertThat(new SignatureVerifier().verify(key, signature, message)).isTrue();
        assertThat(new SignatureVerifier().verify(key, signature, Bytes.EMPTY)).isFalse();
        assertThat(new SignatureVerifier().verify(KEY, signature, message)).isFalse();

        String wrongLength = "credentialPublicKey: a coordinate that is not " + length + " bytes";
        refuse(curve, map(1, 2, 3, alg, -1, crv, -2, x.slice(1, length), -3, y), wrongLength);
        refuse(curve, map(1, 2, 3, alg, -1, crv, -2, X, -3, Y), wrongLength);
        refuse(
                curve,
                map(1, 2, 3, alg, -1, crv, -2, y, -3, x),
                "credentialPublicKey: a point that is not on " + curve.jwk);
        refuse(
                curve,
                map(1, 2, 3, alg, -1, 1, -2, x, -3, y),
                "credentialPublicKey.crv: not " + curve.jwk + " (" + crv + ")");
        refuse(
                curve,
                map(1, 2, 3, -7, -1, crv, -2, x, -3, y),
                "credentialPublicKey.alg: not " + algorithm + " (" + alg + ")");
    }

    private static void refuse(EcCurve curve, CborMap cose, String message) {
        assertThatThrownBy(() -> KeyType.of(curve.algorithm).fromCose(cose))
                .isInstanceOf(MalformedException.class)
                .hasMessage(message);
    }

    @Test
    void T32_another_key_type_curve_or_algorithm_is_refused() {
        refuse(map(1, 1, 3, -7, -1, 1, -2, X, -3, Y), "credentialPublicKey.kty: not EC (2)");
        refuse(map(1, 3, 3, -7, -1, 1, -2, X, -3, Y), "credentialPublicKey.kty: not EC (2)");
        refuse(map(1, 2, 3, -35, -1, 1, -2, X, -3, Y), "credentialPublicKey.alg: not ES256 (-7)");
        refuse(map(1, 2, 3, -7, -1, 2, -2, X, -3, Y), "credentialPublicKey.crv: not P-256 (1)");
        refuse(map(1, 2, 3, -7, -1, 8, -2, X, -3, Y), "credentialPublicKey.crv: not P-256 (1)");
    }

    @Test
    void T32_a_key_without_kty_alg_crv_x_or_y_is_refused() {
        refuse(map(3, -7, -1, 1, -2, X, -3, Y), "credentialPublicKey.kty: not EC (2)");
        refuse(map(1, 2, -1, 1, -2, X, -3, Y), "credentialPublicKey.alg: not ES256 (-7)");
        refuse(map(1, 2, 3, -7, -2, X, -3, Y), "credentialPublicKey.crv: not P-256 (1)");
        refuse(map(1, 2, 3, -7, -1, 1, -3, Y), "credentialPublicKey.x: not a byte string");
        refuse(map(1, 2, 3, -7, -1, 1, -2, X), "credentialPublicKey.y: not a byte string");
    }

    @Test
    void T32_a_private_key_and_other_members_are_refused() {
        String message = "credentialPublicKey: members other than kty, alg, crv, x, y";
        refuse(map(1, 2, 3, -7, -1, 1, -2, X, -3, Y, -4, ZERO), message);
        refuse(map(1, 2, 3, -7, -1, 1, -2, X, -3, Y, 2, ZERO), message);
        refuse(map(1, 2, 3, -7, -1, 1, -2, X, -3, Y, "d", ZERO), message);
    }

    @Test
    void T32_a_compressed_point_is_refused() {
        refuse(map(1, 2, 3, -7, -1, 1, -2, X, -3, true), "credentialPublicKey.y: not a byte string");
    }

    @Test
    void T32_texts_are_not_accepted_as_numbers() {
        refuse(map("1", 2, 3, -7, -1, 1, -2, X, -3, Y), "credentialPublicKey.kty: not EC (2)");
        refuse(map(1, "EC2", 3, -7, -1, 1, -2, X, -3, Y), "credentialPublicKey.kty: not EC (2)");
        refuse(map(1, 2, 3, "ES256", -1, 1, -2, X, -3, Y), "credentialPublicKey.alg: not ES256 (-7)");
    }

    @Test
    void T31_coordinates_of_another_length_are_refused() {
        String message = "credentialPublicKey: a coordinate that is not 32 bytes";
        refuse(cose(X.slice(1, 32), Y), message);
        refuse(cose(X, Y.slice(0, 31)), message);
        refuse(cose(Bytes.ofHex("00").concat(X), Y), message);
        refuse(cose(Bytes.EMPTY, Bytes.EMPTY), message);
    }

    @Test
    void T31_points_off_the_curve_are_refused() {
        String message = "credentialPublicKey: a point that is not on P-256";
        refuse(cose(one(), one()), message);
        refuse(cose(ZERO, ZERO), message);
        refuse(cose(Y, X), message);
    }

    @Test
    void T31_coordinates_outside_the_field_are_refused() {
        // x = 5 is on the curve; x = p + 5 is the same point and still fits into 32 bytes.
        BigInteger y = new BigInteger("459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc", 16);
        assertThat(new EcKey(EcCurve.P256, bytes(BigInteger.valueOf(5)), bytes(y)).y())
                .isEqualTo(bytes(y));
        refuse(
                cose(bytes(EcCurve.P256.p.add(BigInteger.valueOf(5))), bytes(y)),
                "credentialPublicKey: a coordinate outside the field");
        refuse(cose(X, bytes(EcCurve.P256.p)), "credentialPublicKey: a coordinate outside the field");
        refuse(cose(bytes(EcCurve.P256.p), Y), "credentialPublicKey: a coordinate outside the field");
    }

    @Test
    void T31_the_constructor_refuses_points_off_the_curve() {
        assertThatThrownBy(() -> new EcKey(EcCurve.P256, one(), one())).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"EC\"     | \"RSA\"                | jwk.n: missing",
                "\"EC\"     | \"EC2\"                | jwk: not a key for [ES256, EdDSA, ES384, ES512, RS256, PS256, ML-DSA-44, ML-DSA-65, ML-DSA-87]",
                "\"P-256\"  | \"P-384\"              | jwk: a coordinate that is not 48 bytes",
                "\"P-256\"  | \"secp256k1\"          | jwk: not a key for [ES256, EdDSA, ES384, ES512, RS256, PS256, ML-DSA-44, ML-DSA-65, ML-DSA-87]",
                "\"P-256\"  | 1                      | jwk.crv: not a string",
                "\"kty\"    | \"typ\"                | jwk: not a key for [ES256, EdDSA, ES384, ES512, RS256, PS256, ML-DSA-44, ML-DSA-65, ML-DSA-87]",
                "\"kty\"    | \"alg\":\"ES256\",\"kty\" | jwk: members other than kty, crv, x, y",
                "\"kty\"    | \"d\":\"AA\",\"kty\"   | jwk: members other than kty, crv, x, y",
                "\"x\":\"Y  | \"x\":\"Z              | jwk: a point that is not on P-256",
                "\"y\":\"   | \"y\":\"AAAA           | jwk.y: longer than 32 bytes",
                "\"y\":\"   | \"z\":\"               | jwk.y: missing",
                "\"}        | \"}{}                  | jwk: unexpected content after the JSON object",
                "\"}        | =\"}                   | jwk.y: longer than 32 bytes"
            })
    void an_invalid_jwk_is_refused_with_the_reason(String was, String is, String message) {
        assertThat(JWK).contains(was);
        assertThatThrownBy(() -> CredentialPublicKey.fromJwk(JWK.replace(was, is)))
                .isInstanceOf(MalformedException.class)
                .hasMessage(message);
    }

    @Test
    void a_key_converts_to_a_jca_key() throws Exception {
        ECPublicKey key = KEY.toPublicKey(null);
        assertThat(key.getW()).isEqualTo(new ECPoint(number(X), number(Y)));
        assertThat(KEY.toPublicKey(java.security.Security.getProvider("SunEC"))).isEqualTo(key);
        assertThat(KEY.matches(key)).isTrue();
    }

    @Test
    void a_key_matches_only_the_same_point_and_curve() throws Exception {
        assertThat(KEY.matches(generate("secp256r1"))).isFalse();
        assertThat(KEY.matches(generate("secp384r1"))).isFalse();
        assertThat(KEY.matches(rsa())).isFalse();
    }

    @Test
    void T31_a_jca_key_converts_only_if_it_is_on_the_curve() throws Exception {
        BigInteger y = new BigInteger("459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc", 16);
        assertThat(EcKey.of(KEY.toPublicKey(null))).contains(KEY);
        assertThat(EcKey.of(jdk(BigInteger.valueOf(5), y)))
                .contains(new EcKey(EcCurve.P256, bytes(BigInteger.valueOf(5)), bytes(y)));
        assertThat(EcKey.of(jdk(BigInteger.valueOf(5), y.add(BigInteger.ONE)))).isEmpty();
        assertThat(EcKey.of(jdk(BigInteger.valueOf(5).add(EcCurve.P256.p), y))).isEmpty();
        assertThat(EcKey.of(rsa())).isEmpty();
    }

    /** Only a sign byte is dropped. */
    @Test
    void T31_coordinates_are_converted_exactly() throws Exception {
        BigInteger x = BigInteger.ONE.shiftLeft(247); // 31 bytes and a sign byte
        while (!new ECPointOn(x).exists()) {
            x = x.add(BigInteger.ONE);
        }
        BigInteger y = new ECPointOn(x).y();

        assertThat(EcKey.of(jdk(x, y))).contains(new EcKey(EcCurve.P256, bytes(x), bytes(y)));
        assertThat(EcKey.of(foreign(x, y))).contains(new EcKey(EcCurve.P256, bytes(x), bytes(y)));
        assertThat(EcKey.of(foreign(x.add(BigInteger.ONE.shiftLeft(256)), y))).isEmpty();
        assertThat(EcKey.of(foreign(x, y.add(BigInteger.ONE.shiftLeft(256))))).isEmpty();
    }

    private record ECPointOn(BigInteger x) {
        BigInteger square() {
            return x.pow(3)
                    .subtract(x.multiply(BigInteger.valueOf(3)))
                    .add(EcCurve.P256.parameters.getCurve().getB())
                    .mod(EcCurve.P256.p);
        }

        BigInteger y() {
            return square().modPow(EcCurve.P256.p.add(BigInteger.ONE).shiftRight(2), EcCurve.P256.p);
        }

        boolean exists() {
            return y().modPow(BigInteger.TWO, EcCurve.P256.p).equals(square());
        }
    }

    /** A key of a provider without checks. */
    private static ECPublicKey foreign(BigInteger x, BigInteger y) {
        return (ECPublicKey) Proxy.newProxyInstance(
                EcKeyTest.class.getClassLoader(),
                new Class<?>[] {ECPublicKey.class},
                (self, method, arguments) ->
                        method.getName().equals("getW") ? new ECPoint(x, y) : EcCurve.P256.parameters);
    }

    private static PublicKey jdk(BigInteger x, BigInteger y) throws Exception {
        var point = new ECPublicKeySpec(new ECPoint(x, y), EcCurve.P256.parameters);
        return KeyFactory.getInstance("EC").generatePublic(point);
    }

    @Test
    void the_point_is_uncompressed() {
        assertThat(KEY.uncompressedPoint()).isEqualTo(Bytes.ofHex("04" + X.hex() + Y.hex()));
    }

    @Property(tries = 50)
    void every_generated_key_survives_the_round_trip(@ForAll @IntRange int ignored) throws Exception {
        ECPublicKey generated = (ECPublicKey) generate("secp256r1");
        Bytes x = bytes(generated.getW().getAffineX());
        Bytes y = bytes(generated.getW().getAffineY());
        EcKey key = (EcKey) KeyType.of(CredentialAlgorithm.ES256).fromCose(cose(x, y));
        assertThat(CredentialPublicKey.fromJwk(key.toJwk())).isEqualTo(key).isEqualTo(new EcKey(EcCurve.P256, x, y));
        assertThat(key.matches(generated)).isTrue();
        assertThat(EcKey.of(generated)).contains(key);
    }

    @Property
    void arbitrary_coordinates_are_malformed(@ForAll @Size(32) byte[] x, @ForAll @Size(32) byte[] y) {
        // The probability that a random pair is on the curve is 2^-256.
        assertThatThrownBy(() -> KeyType.of(CredentialAlgorithm.ES256).fromCose(cose(Bytes.copyOf(x), Bytes.copyOf(y))))
                .isInstanceOf(MalformedException.class);
    }

    private static PublicKey generate(String curve) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(curve));
        KeyPair pair = generator.generateKeyPair();
        return pair.getPublic();
    }

    private static PublicKey rsa() {
        return KeyAlgorithm.RS256.generate(new SecureRandom()).publicKey();
    }

    private static CborMap cose(Bytes x, Bytes y) {
        return map(1, 2, 3, -7, -1, 1, -2, x, -3, y);
    }

    private static Bytes one() {
        return bytes(BigInteger.ONE);
    }

    private static BigInteger number(Bytes bytes) {
        return new BigInteger(1, bytes.toByteArray());
    }

    private static Bytes bytes(BigInteger number) {
        String hex = number.toString(16);
        return Bytes.ofHex("0".repeat(64 - hex.length()) + hex);
    }

    private static void refuse(CborMap cose, String message) {
        assertThatThrownBy(() -> KeyType.of(CredentialAlgorithm.ES256).fromCose(cose))
                .isInstanceOf(MalformedException.class)
                .hasMessage(message);
    }
}
