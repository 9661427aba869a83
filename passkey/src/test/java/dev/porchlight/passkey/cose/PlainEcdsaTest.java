// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.Vectors;
import java.math.BigInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class PlainEcdsaTest {
    @TestFactory
    Stream<DynamicTest> T28_plain_ecdsa_matches_the_wycheproof_vectors() {
        return Stream.of("es256", "es384", "es512")
                .flatMap(name -> Vectors.read("wycheproof_" + name + ".jsonl").stream())
                .map(line -> DynamicTest.dynamicTest(
                        line.get("id").asText(),
                        () -> assertThat(verifies(line))
                                .isEqualTo(line.get("expect").asText().equals("accept"))));
    }

    @Test
    void short_numbers_are_edge_cases_and_ordinary_ones_are_not() {
        BigInteger ordinary = EcCurve.P256.n.shiftRight(1);
        BigInteger shortest = BigInteger.ONE.shiftLeft(136).subtract(BigInteger.ONE);
        BigInteger longer = BigInteger.ONE.shiftLeft(136);
        assertThat(PlainEcdsa.isEdgeCase(new EcdsaSignature(EcCurve.P256, ordinary, ordinary)))
                .isFalse();
        assertThat(PlainEcdsa.isEdgeCase(new EcdsaSignature(EcCurve.P256, shortest, ordinary)))
                .isTrue();
        assertThat(PlainEcdsa.isEdgeCase(new EcdsaSignature(EcCurve.P256, longer, ordinary)))
                .isFalse();
        assertThat(PlainEcdsa.isEdgeCase(new EcdsaSignature(EcCurve.P256, ordinary, shortest)))
                .isTrue();
        assertThat(PlainEcdsa.isEdgeCase(new EcdsaSignature(EcCurve.P256, ordinary, longer)))
                .isFalse();
        assertThat(PlainEcdsa.isEdgeCase(new EcdsaSignature(EcCurve.P256, ordinary, EcCurve.P256.n.subtract(shortest))))
                .isTrue();
        assertThat(PlainEcdsa.isEdgeCase(new EcdsaSignature(EcCurve.P256, ordinary, EcCurve.P256.n.subtract(longer))))
                .isFalse();
        // Includes the case that JDK 17 gets wrong.
        assertThat(EcCurve.P256.p.subtract(EcCurve.P256.n).bitLength()).isLessThanOrEqualTo(136);
    }

    @Test
    void the_point_at_infinity_verifies_nothing() {
        // With the generator as key, u + v = n gives the point at infinity: e = n - r.
        EcKey generator = new EcKey(
                EcCurve.P256,
                Bytes.ofHex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
                Bytes.ofHex("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"));
        BigInteger digest = EcCurve.P256.n.subtract(BigInteger.TWO);
        assertThat(PlainEcdsa.verify(
                        generator, new EcdsaSignature(EcCurve.P256, BigInteger.TWO, BigInteger.ONE), digest))
                .isFalse();
    }

    private static boolean verifies(JsonNode line) throws Exception {
        EcKey key = (EcKey) CredentialPublicKey.fromJwk(line.get("publicKeyJwk").toString());
        EcdsaSignature signature;
        try {
            signature = EcdsaSignature.parse(
                    key.curve(), Bytes.ofHex(line.get("sig_hex").asText()));
        } catch (MalformedException refused) {
            return false;
        }
        return PlainEcdsa.verify(key, signature, Bytes.ofHex(line.get("msg_hex").asText()));
    }
}
