// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.passkey;

import com.webauthn4j.WebAuthnManager;
import com.webauthn4j.credential.CredentialRecord;
import com.webauthn4j.credential.CredentialRecordImpl;
import com.webauthn4j.data.AuthenticationData;
import com.webauthn4j.data.AuthenticationParameters;
import com.webauthn4j.data.PublicKeyCredentialParameters;
import com.webauthn4j.data.PublicKeyCredentialType;
import com.webauthn4j.data.RegistrationData;
import com.webauthn4j.data.RegistrationParameters;
import com.webauthn4j.data.attestation.statement.COSEAlgorithmIdentifier;
import com.webauthn4j.data.client.Origin;
import com.webauthn4j.data.client.challenge.DefaultChallenge;
import com.webauthn4j.server.ServerProperty;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.List;

/** webauthn4j as documented for passkeys, without attestation. */
final class Webauthn4j {
    private final WebAuthnManager manager = WebAuthnManager.createNonStrictWebAuthnManager();
    private final Material material;
    private final RegistrationParameters registrationParameters;
    private final AuthenticationParameters authenticationParameters;

    Webauthn4j(Material material) {
        this.material = material;
        registrationParameters = new RegistrationParameters(
                server(material.creationOptions),
                List.of(new PublicKeyCredentialParameters(
                        PublicKeyCredentialType.PUBLIC_KEY, COSEAlgorithmIdentifier.create(material.algorithm))),
                false,
                true);
        RegistrationData data = register();
        CredentialRecord record = new CredentialRecordImpl(
                data.getAttestationObject(),
                data.getCollectedClientData(),
                data.getClientExtensions(),
                data.getTransports());
        authenticationParameters =
                new AuthenticationParameters(server(material.requestOptions), record, null, false, true);
    }

    RegistrationData register() {
        return manager.verifyRegistrationResponseJSON(material.registration, registrationParameters);
    }

    AuthenticationData authenticate() {
        return manager.verifyAuthenticationResponseJSON(material.assertion, authenticationParameters);
    }

    private static ServerProperty server(String options) {
        byte[] challenge = JsonObject.parse(options).octets("challenge");
        return ServerProperty.builder()
                .origin(new Origin(Material.ORIGIN))
                .rpId(Material.RP_ID)
                .challenge(new DefaultChallenge(challenge))
                .build();
    }
}
