// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.Vectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every object in the examples of the WebAuthn specification is parsed, with any algorithm or format. */
class W3cVectorsTest {
    @TestFactory
    Stream<DynamicTest> every_registration_is_parsed() {
        return Vectors.read("w3c_registrations.jsonl").stream()
                .map(line -> DynamicTest.dynamicTest(name(line), () -> registration(line)));
    }

    @TestFactory
    Stream<DynamicTest> every_authentication_is_parsed() {
        return Vectors.read("w3c_authentications.jsonl").stream()
                .map(line -> DynamicTest.dynamicTest(name(line), () -> authentication(line)));
    }

    private static void registration(JsonNode line) throws MalformedException {
        RegistrationResponse response =
                RegistrationResponse.parse(line.get("response").toString());
        assertClientData(line, response.clientDataJson(), "webauthn.create");
        AttestationObject object = AttestationObject.parse(response.attestationObject());
        assertThat(object.format()).isEqualTo(line.get("fmt").asText());
        AuthenticatorData data = AuthenticatorData.parse(object.authData());
        assertAuthenticatorData(line, data);
        AttestedCredential credential = data.attestedCredential();
        assertThat(credential).isNotNull();
        assertThat(credential.aaguid().hex()).isEqualTo(line.get("aaguid").asText());
        assertThat(credential.credentialId()).isEqualTo(response.rawId());
        assertThat(credential.publicKey().get(3))
                .isEqualTo(new CborValue.Int(line.get("alg").asLong()));
    }

    private static void authentication(JsonNode line) throws MalformedException {
        AuthenticationResponse response =
                AuthenticationResponse.parse(line.get("response").toString());
        assertClientData(line, response.clientDataJson(), "webauthn.get");
        AuthenticatorData data = AuthenticatorData.parse(response.authenticatorData());
        assertAuthenticatorData(line, data);
        assertThat(data.attestedCredential()).isNull();
        assertThat(response.signature().isEmpty()).isFalse();
    }

    private static void assertClientData(JsonNode line, Bytes json, String type) throws MalformedException {
        CollectedClientData data = CollectedClientData.parse(json);
        assertThat(data.type()).isEqualTo(type);
        assertThat(data.challenge()).isEqualTo(line.get("challenge").asText());
        assertThat(line.get("origin")).extracting(JsonNode::asText).contains(data.origin());
        assertThat(data.hash()).isEqualTo(json.sha256());
    }

    private static void assertAuthenticatorData(JsonNode line, AuthenticatorData data) {
        assertThat(data.rpIdHash())
                .isEqualTo(Bytes.ofUtf8(line.get("rpId").asText()).sha256());
        assertThat(data.flags()).isEqualTo(Integer.decode(line.get("flags").asText()));
        assertThat(data.signCount()).isEqualTo(line.get("signCount").asLong());
    }

    private static String name(JsonNode line) {
        return line.get("id").asText() + " " + line.get("why").asText();
    }
}
