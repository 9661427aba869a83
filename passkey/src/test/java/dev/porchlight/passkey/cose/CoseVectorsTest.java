// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.Vectors;
import dev.porchlight.passkey.data.AttestationObject;
import dev.porchlight.passkey.data.AuthenticationResponse;
import dev.porchlight.passkey.data.AuthenticatorData;
import dev.porchlight.passkey.data.CborMap;
import dev.porchlight.passkey.data.CborReader;
import dev.porchlight.passkey.data.RegistrationResponse;
import java.security.Security;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class CoseVectorsTest {
    private final SignatureVerifier check = new SignatureVerifier(Security.getProvider("SunEC"));

    @TestFactory
    Stream<DynamicTest> T31_points_match_the_vectors() {
        return test("ec_points.jsonl", line -> {
            CborMap cose = CborReader.readMap(Bytes.ofHex(line.get("cose_hex").asText()), "key");
            if (isAccepted(line)) {
                EcKey key = (EcKey) KeyType.of(CredentialAlgorithm.ES256).fromCose(cose);
                assertThat(key.x().hex()).isEqualTo(line.get("x_hex").asText());
                assertThat(key.y().hex()).isEqualTo(line.get("y_hex").asText());
                assertThat(CredentialPublicKey.fromJwk(key.toJwk())).isEqualTo(key);
            } else {
                assertThatThrownBy(() -> KeyType.of(CredentialAlgorithm.ES256).fromCose(cose))
                        .isInstanceOf(MalformedException.class);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> T28_signatures_match_the_wycheproof_vectors() {
        return test("wycheproof_es256.jsonl", line -> {
            assertVerifiesAsExpected(
                    CredentialPublicKey.fromJwk(line.get("publicKeyJwk").toString()), line);
        });
    }

    @TestFactory
    Stream<DynamicTest> T28_signatures_of_further_algorithms_match_the_wycheproof_vectors() {
        return Stream.of("es384", "es512", "eddsa", "ps256", "mldsa44", "mldsa65", "mldsa87")
                .flatMap(name -> test("wycheproof_" + name + ".jsonl", CoseVectorsTest::judge));
    }

    private static void judge(JsonNode line) throws MalformedException {
        JsonNode jwk = line.get("publicKeyJwk");
        CredentialPublicKey key;
        try {
            key = jwk.get("kty").asText().equals("RSA")
                    ? CredentialPublicKey.fromForeignJwk(JsonObject.parse(
                            ((ObjectNode) jwk.deepCopy()).put("alg", "PS256").toString(), "jwk"))
                    : CredentialPublicKey.fromJwk(jwk.toString());
        } catch (MalformedException e) {
            assertThat(isAccepted(line)).as(e.getMessage()).isFalse();
            return;
        }
        assertVerifiesAsExpected(key, line);
        assertThat(CredentialPublicKey.fromJwk(key.toJwk())).isEqualTo(key);
    }

    /** With each provider that has the algorithm: the service does not use the JDK's if it can load the native one. */
    private static void assertVerifiesAsExpected(CredentialPublicKey key, JsonNode line) {
        Bytes message = Bytes.ofHex(line.get("msg_hex").asText());
        Bytes signature = Bytes.ofHex(line.get("sig_hex").asText());
        assertThat(NativeProvider.verifiers(key.algorithm()))
                .extracting(verifier -> verifier.verify(key, signature, message))
                .containsOnly(isAccepted(line));
    }

    /** The vectors leave an absent NULL open and use the exponent 3 in three keys; both are refused here. */
    @TestFactory
    Stream<DynamicTest> T28_rsa_signatures_match_the_wycheproof_vectors() {
        return test("wycheproof_rs256.jsonl", line -> {
            String jwk = line.get("publicKeyJwk").toString();
            if (!line.get("publicKeyJwk").get("e").asText().equals("AQAB")) {
                assertThatThrownBy(() -> CredentialPublicKey.fromJwk(jwk)).isInstanceOf(MalformedException.class);
                return;
            }
            CredentialPublicKey key = CredentialPublicKey.fromJwk(jwk);
            Bytes message = Bytes.ofHex(line.get("msg_hex").asText());
            Bytes signature = Bytes.ofHex(line.get("sig_hex").asText());
            assertThat(check.verify(key, signature, message)).isEqualTo(isAccepted(line));
            assertThat(CredentialPublicKey.fromJwk(key.toJwk())).isEqualTo(key);
        });
    }

    @TestFactory
    Stream<DynamicTest> keys_of_the_specification_are_read() {
        return test("w3c_registrations.jsonl", line -> {
            RegistrationResponse response =
                    RegistrationResponse.parse(line.get("response").toString());
            AttestationObject object = AttestationObject.parse(response.attestationObject());
            CborMap cose = AuthenticatorData.parse(object.authData())
                    .attestedCredential()
                    .publicKey();
            CoseKey key = CoseKey.read(cose);
            assertThat(key.algorithm()).isEqualTo(line.get("alg").asLong());
            if (CredentialAlgorithm.of(key.algorithm()).isPresent()) {
                assertThat(CredentialPublicKey.fromCose(key).toJwk())
                        .isEqualTo(line.get("publicKeyJwk").toString());
            } else {
                assertThatThrownBy(() -> CredentialPublicKey.fromCose(key)).isInstanceOf(MalformedException.class);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> assertions_of_the_specification_verify() {
        List<JsonNode> supported = Vectors.read("w3c_authentications.jsonl").stream()
                .filter(line -> CredentialAlgorithm.of(line.get("alg").asLong()).isPresent())
                .toList();
        return test(supported, line -> {
            CredentialPublicKey key = CredentialPublicKey.fromJwk(
                    line.get("credential").get("publicKeyJwk").toString());
            AuthenticationResponse response =
                    AuthenticationResponse.parse(line.get("response").toString());
            Bytes data = response.authenticatorData();
            Bytes hash = response.clientDataJson().sha256();
            assertThat(check.verify(key, response.signature(), data, hash)).isTrue();
            assertThat(check.verify(key, response.signature(), hash, data)).isFalse();
        });
    }

    private static boolean isAccepted(JsonNode line) {
        return line.get("expect").asText().equals("accept");
    }

    private static Stream<DynamicTest> test(String file, Check check) {
        return test(Vectors.read(file), check);
    }

    private static Stream<DynamicTest> test(List<JsonNode> lines, Check check) {
        return lines.stream().map(line -> DynamicTest.dynamicTest(line.get("id").asText(), () -> check.verify(line)));
    }

    private interface Check {
        void verify(JsonNode line) throws Exception;
    }
}
