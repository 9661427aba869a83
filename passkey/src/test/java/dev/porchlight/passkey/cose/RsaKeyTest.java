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
import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.spec.RSAPublicKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RsaKeyTest {
    private static final Bytes E = Bytes.ofHex("010001");
    private static final Bytes N = modulus(256);

    @Test
    void a_key_converts_from_cose_to_jwk_and_back() throws MalformedException {
        CredentialPublicKey key = CredentialPublicKey.fromCose(CoseKey.read(cose(N, E)));

        assertThat(key).isEqualTo(new RsaKey(CredentialAlgorithm.RS256, N));
        assertThat(key.algorithm()).isEqualTo(CredentialAlgorithm.RS256);
        assertThat(key.toJwk()).isEqualTo("{\"kty\":\"RSA\",\"n\":\"" + N.base64Url() + "\",\"e\":\"AQAB\"}");
        assertThat(CredentialPublicKey.fromJwk(key.toJwk())).isEqualTo(key);
    }

    @Test
    void jwk_members_may_be_in_any_order() throws MalformedException {
        String json = "{\"e\":\"AQAB\", \"n\":\"" + N.base64Url() + "\", \"kty\":\"RSA\"}";
        assertThat(CredentialPublicKey.fromJwk(json)).isEqualTo(new RsaKey(CredentialAlgorithm.RS256, N));
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 257, 384, 512})
    void moduli_from_2048_to_4096_bits_are_accepted(int bytes) throws MalformedException {
        assertThat(KeyType.of(CredentialAlgorithm.RS256).fromCose(cose(modulus(bytes), E)))
                .isEqualTo(new RsaKey(CredentialAlgorithm.RS256, modulus(bytes)));
    }

    @ParameterizedTest
    @CsvSource({
        "128, 1024",
        "255, 2040",
        "513, 4104",
        "1024, 8192",
    })
    void T32_other_sizes_are_refused(int bytes, int bits) {
        refuse(cose(modulus(bytes), E), ": a modulus of " + bits + " bits instead of 2048 to 4096");
    }

    @Test
    void T32_a_modulus_of_2047_bits_is_refused() {
        Bytes shorter = Bytes.ofHex("45").concat(modulus(256).slice(1, 256));
        refuse(cose(shorter, E), ": a modulus of 2047 bits instead of 2048 to 4096");
    }

    @Test
    void T32_a_padded_empty_or_even_modulus_is_refused() {
        refuse(cose(Bytes.ofHex("00").concat(N), E), ": a modulus that is empty or has leading zeros");
        refuse(cose(Bytes.EMPTY, E), ": a modulus that is empty or has leading zeros");
        refuse(cose(N.slice(0, 255).concat(Bytes.ofHex("c4")), E), ": an even modulus");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "01", "03", "010000", "00010001", "0100000001", "0101"})
    void T32_other_exponents_and_encodings_are_refused(String exponent) {
        refuse(cose(N, Bytes.ofHex(exponent)), ": an exponent that is not 65537 in three bytes");
    }

    @Test
    void T32_missing_and_other_members_are_refused() {
        refuse(map(1, 2, 3, -257, -1, N, -2, E), ".kty: not RSA (3)");
        refuse(map(1, 3, 3, -7, -1, N, -2, E), ".alg: not RS256 (-257)");
        refuse(map(1, 3, 3, -257, -2, E), ".n: not a byte string");
        refuse(map(1, 3, 3, -257, -1, N, -2, 65_537), ".e: not a byte string");
        refuse(map(1, 3, 3, -257, -1, N, -2, E, -3, N), ": members other than kty, alg, n, e");
    }

    /** The algorithm in a key decides how it is parsed, so neither kind passes for the other. */
    @Test
    void T32_an_rsa_key_is_not_an_es256_key_and_vice_versa() {
        assertThatThrownBy(() -> CredentialPublicKey.fromCose(new CoseKey(-7, cose(N, E))))
                .isInstanceOf(MalformedException.class);
        assertThatThrownBy(() -> CredentialPublicKey.fromCose(new CoseKey(-257, map(1, 2, 3, -7))))
                .isInstanceOf(MalformedException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"AQAB\"     | \"Aw\"                  | jwk: an exponent that is not 65537 in three bytes",
                "\"AQAB\"     | \"AAEAAQ\"              | jwk: an exponent that is not 65537 in three bytes",
                "\"AQAB\"     | 65537                   | jwk.e: not a string",
                "\"AQAB\"     | \"AQAB\",\"d\":\"AQAB\" | jwk: members other than kty, n, e",
                "\"AQAB\"     | \"AQAB\",\"alg\":\"RS256\" | jwk: members other than kty, n, e",
                "\"n\":\"     | \"n\":\"=               | jwk.n: not base64url",
            })
    void an_invalid_stored_jwk_is_refused(String was, String is, String message) {
        String json = new RsaKey(CredentialAlgorithm.RS256, N).toJwk().replace(was, is);
        assertThatThrownBy(() -> CredentialPublicKey.fromJwk(json))
                .isInstanceOf(MalformedException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void a_foreign_jwk_may_have_other_members_but_no_private_ones() throws MalformedException {
        assertThat(foreign(",\"alg\":\"RS256\",\"kid\":\"1\",\"use\":\"sig\""))
                .isEqualTo(new RsaKey(CredentialAlgorithm.RS256, N));
        for (String member : new String[] {"d", "p", "q", "dp", "dq", "qi", "oth"}) {
            assertThatThrownBy(() -> foreign(",\"" + member + "\":\"AQAB\""))
                    .hasMessageContaining("a private key, which must not leave its authenticator");
        }
        assertThatThrownBy(() -> foreign(",\"alg\":\"PS384\"")).hasMessageContaining("not RS256");
        assertThat(foreign(",\"alg\":\"PS256\"").algorithm()).isEqualTo(CredentialAlgorithm.PS256);
    }

    @Test
    void a_jca_key_matches_only_with_the_exponent_65537() throws Exception {
        var generator = KeyPairGenerator.getInstance("EC");
        var factory = KeyFactory.getInstance("RSA");
        var number = new BigInteger(1, N.toByteArray());
        var same = factory.generatePublic(new RSAPublicKeySpec(number, BigInteger.valueOf(65_537)));
        var three = factory.generatePublic(new RSAPublicKeySpec(number, BigInteger.valueOf(3)));
        var other = factory.generatePublic(new RSAPublicKeySpec(number.add(BigInteger.TWO), RsaKey.EXPONENT));
        var key = new RsaKey(CredentialAlgorithm.RS256, N);

        assertThat(key.matches(same)).isTrue();
        assertThat(key.matches(three)).isFalse();
        assertThat(key.matches(other)).isFalse();
        assertThat(key.matches(generator.generateKeyPair().getPublic())).isFalse();
    }

    private static CredentialPublicKey foreign(String members) throws MalformedException {
        String json = new RsaKey(CredentialAlgorithm.RS256, N).toJwk().replace("}", members + "}");
        return CredentialPublicKey.fromForeignJwk(JsonObject.parse(json, "jwk"));
    }

    private static CborMap cose(Bytes n, Bytes e) {
        return map(1, 3, 3, -257, -1, n, -2, e);
    }

    private static Bytes modulus(int bytes) {
        return Bytes.ofHex("c5".repeat(bytes));
    }

    private static void refuse(CborMap cose, String message) {
        assertThatThrownBy(() -> KeyType.of(CredentialAlgorithm.RS256).fromCose(cose))
                .isInstanceOf(MalformedException.class)
                .hasMessage("credentialPublicKey" + message);
    }
}
