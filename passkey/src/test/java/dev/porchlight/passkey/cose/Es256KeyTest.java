// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import static dev.porchlight.passkey.data.CborEncoder.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.data.CborMap;
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

class Es256KeyTest {
    private static final Bytes X = Bytes.ofHex("60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6");
    private static final Bytes Y = Bytes.ofHex("7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299");
    private static final Es256Key KEY = new Es256Key(X, Y);
    private static final String JWK =
            "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"" + X.base64Url() + "\",\"y\":\"" + Y.base64Url() + "\"}";
    private static final Bytes ZERO = Bytes.copyOf(new byte[32]);

    @Test
    void a_key_converts_from_cose_to_jwk_and_back() throws MalformedException {
        assertThat(Es256Key.fromCose(map(1, 2, 3, -7, -1, 1, -2, X, -3, Y))).isEqualTo(KEY);
        assertThat(KEY.toJwk()).isEqualTo(JWK);
        assertThat(Es256Key.fromJwk(JWK)).isEqualTo(KEY);
    }

    @Test
    void jwk_members_may_be_in_any_order() throws MalformedException {
        assertThat(Es256Key.fromJwk("{ \"y\":\"" + Y.base64Url() + "\", \"x\":\"" + X.base64Url()
                        + "\", \"crv\":\"P-256\", \"kty\":\"EC\" }"))
                .isEqualTo(KEY);
    }

    @Test
    void T32_another_key_type_curve_or_algorithm_is_refused() {
        refuse(map(1, 1, 3, -7, -1, 1, -2, X, -3, Y), "credentialPublicKey.kty: not EC2 (2)");
        refuse(map(1, 3, 3, -7, -1, 1, -2, X, -3, Y), "credentialPublicKey.kty: not EC2 (2)");
        refuse(map(1, 2, 3, -35, -1, 1, -2, X, -3, Y), "credentialPublicKey.alg: not ES256 (-7)");
        refuse(map(1, 2, 3, -7, -1, 2, -2, X, -3, Y), "credentialPublicKey.crv: not P-256 (1)");
        refuse(map(1, 2, 3, -7, -1, 8, -2, X, -3, Y), "credentialPublicKey.crv: not P-256 (1)");
    }

    @Test
    void T32_a_key_without_kty_alg_crv_x_or_y_is_refused() {
        refuse(map(3, -7, -1, 1, -2, X, -3, Y), "credentialPublicKey.kty: not EC2 (2)");
        refuse(map(1, 2, -1, 1, -2, X, -3, Y), "credentialPublicKey.alg: not ES256 (-7)");
        refuse(map(1, 2, 3, -7, -2, X, -3, Y), "credentialPublicKey.crv: not P-256 (1)");
        refuse(map(1, 2, 3, -7, -1, 1, -3, Y), "credentialPublicKey.x: not a byte string");
        refuse(map(1, 2, 3, -7, -1, 1, -2, X), "credentialPublicKey.y: not a byte string");
    }

    @Test
    void T32_a_private_key_and_other_members_are_refused() {
        String message = "credentialPublicKey: members other than kty, alg, crv, x and y";
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
        refuse(map("1", 2, 3, -7, -1, 1, -2, X, -3, Y), "credentialPublicKey.kty: not EC2 (2)");
        refuse(map(1, "EC2", 3, -7, -1, 1, -2, X, -3, Y), "credentialPublicKey.kty: not EC2 (2)");
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
        assertThat(new Es256Key(bytes(BigInteger.valueOf(5)), bytes(y)).y()).isEqualTo(bytes(y));
        refuse(
                cose(bytes(P256.P.add(BigInteger.valueOf(5))), bytes(y)),
                "credentialPublicKey: a coordinate outside the field");
        refuse(cose(X, bytes(P256.P)), "credentialPublicKey: a coordinate outside the field");
        refuse(cose(bytes(P256.P), Y), "credentialPublicKey: a coordinate outside the field");
    }

    @Test
    void T31_the_constructor_refuses_points_off_the_curve() {
        assertThatThrownBy(() -> new Es256Key(one(), one())).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"EC\"     | \"RSA\"                | jwk.kty: not EC",
                "\"P-256\"  | \"P-384\"              | jwk.crv: not P-256",
                "\"P-256\"  | 1                      | jwk.crv: not a string",
                "\"kty\"    | \"typ\"                | jwk.kty: missing",
                "\"kty\"    | \"alg\":\"ES256\",\"kty\" | jwk: members other than kty, crv, x and y",
                "\"kty\"    | \"d\":\"AA\",\"kty\"   | jwk: members other than kty, crv, x and y",
                "\"x\":\"Y  | \"x\":\"Z              | jwk: a point that is not on P-256",
                "\"y\":\"   | \"y\":\"AAAA           | jwk.y: longer than 32 bytes",
                "\"}        | =\"}                   | jwk.y: longer than 32 bytes"
            })
    void an_invalid_jwk_is_refused_with_the_reason(String was, String is, String message) {
        assertThat(JWK).contains(was);
        assertThatThrownBy(() -> Es256Key.fromJwk(JWK.replace(was, is)))
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
        assertThat(Es256Key.of(KEY.toPublicKey(null))).contains(KEY);
        assertThat(Es256Key.of(jdk(BigInteger.valueOf(5), y)))
                .contains(new Es256Key(bytes(BigInteger.valueOf(5)), bytes(y)));
        assertThat(Es256Key.of(jdk(BigInteger.valueOf(5), y.add(BigInteger.ONE))))
                .isEmpty();
        assertThat(Es256Key.of(jdk(BigInteger.valueOf(5).add(P256.P), y))).isEmpty();
        assertThat(Es256Key.of(generate("secp384r1"))).isEmpty();
        assertThat(Es256Key.of(rsa())).isEmpty();
    }

    /** Only a sign byte is dropped. */
    @Test
    void T31_coordinates_are_converted_exactly() throws Exception {
        BigInteger x = BigInteger.ONE.shiftLeft(247); // 31 bytes and a sign byte
        while (!new ECPointOn(x).exists()) {
            x = x.add(BigInteger.ONE);
        }
        BigInteger y = new ECPointOn(x).y();

        assertThat(Es256Key.of(jdk(x, y))).contains(new Es256Key(bytes(x), bytes(y)));
        assertThat(Es256Key.of(foreign(x, y))).contains(new Es256Key(bytes(x), bytes(y)));
        assertThat(Es256Key.of(foreign(x.add(BigInteger.ONE.shiftLeft(256)), y)))
                .isEmpty();
        assertThat(Es256Key.of(foreign(x, y.add(BigInteger.ONE.shiftLeft(256)))))
                .isEmpty();
    }

    private record ECPointOn(BigInteger x) {
        BigInteger square() {
            return x.pow(3)
                    .subtract(x.multiply(BigInteger.valueOf(3)))
                    .add(P256.PARAMETERS.getCurve().getB())
                    .mod(P256.P);
        }

        BigInteger y() {
            return square().modPow(P256.P.add(BigInteger.ONE).shiftRight(2), P256.P);
        }

        boolean exists() {
            return y().modPow(BigInteger.TWO, P256.P).equals(square());
        }
    }

    /** A key of a provider without checks. */
    private static ECPublicKey foreign(BigInteger x, BigInteger y) {
        return (ECPublicKey) Proxy.newProxyInstance(
                Es256KeyTest.class.getClassLoader(),
                new Class<?>[] {ECPublicKey.class},
                (self, method, arguments) -> method.getName().equals("getW") ? new ECPoint(x, y) : P256.PARAMETERS);
    }

    private static PublicKey jdk(BigInteger x, BigInteger y) throws Exception {
        var point = new ECPublicKeySpec(new ECPoint(x, y), P256.PARAMETERS);
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
        Es256Key key = Es256Key.fromCose(cose(x, y));
        assertThat(Es256Key.fromJwk(key.toJwk())).isEqualTo(key).isEqualTo(new Es256Key(x, y));
        assertThat(key.matches(generated)).isTrue();
        assertThat(Es256Key.of(generated)).contains(key);
    }

    @Property
    void arbitrary_coordinates_are_malformed(@ForAll @Size(32) byte[] x, @ForAll @Size(32) byte[] y) {
        // The probability that a random pair is on the curve is 2^-256.
        assertThatThrownBy(() -> Es256Key.fromCose(cose(Bytes.copyOf(x), Bytes.copyOf(y))))
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
        assertThatThrownBy(() -> Es256Key.fromCose(cose))
                .isInstanceOf(MalformedException.class)
                .hasMessage(message);
    }
}
