// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.Vectors;
import dev.porchlight.passkey.cose.CoseKey;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.data.AttestationObject;
import dev.porchlight.passkey.data.AttestedCredential;
import dev.porchlight.passkey.data.AuthenticatorData;
import dev.porchlight.passkey.data.RegistrationResponse;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The attestation of a registration in the WebAuthn specification. The key is empty if its algorithm is not supported.
 */
record W3cVector(
        String id,
        Bytes challenge,
        RegistrationResponse response,
        AttestationObject object,
        AttestedCredential credential,
        Optional<CredentialPublicKey> key) {

    static List<W3cVector> all() {
        return Vectors.read("w3c_registrations.jsonl").stream()
                .map(W3cVector::of)
                .toList();
    }

    private static W3cVector of(JsonNode line) {
        try {
            var response = RegistrationResponse.parse(line.get("response").toString());
            var object = AttestationObject.parse(response.attestationObject());
            var credential = AuthenticatorData.parse(object.authData()).attestedCredential();
            var key = CoseKey.read(credential.publicKey());
            boolean supported = CredentialAlgorithm.of(key.algorithm()).isPresent();
            return new W3cVector(
                    line.get("id").asText(),
                    Bytes.copyOf(
                            Base64.getUrlDecoder().decode(line.get("challenge").asText())),
                    response,
                    object,
                    credential,
                    supported ? Optional.of(CredentialPublicKey.fromCose(key)) : Optional.empty());
        } catch (MalformedException e) {
            throw new IllegalArgumentException(e);
        }
    }

    boolean has(String member) {
        return object.statement().get(member) != null;
    }

    @Override
    public String toString() {
        return id + " " + object.format();
    }
}
