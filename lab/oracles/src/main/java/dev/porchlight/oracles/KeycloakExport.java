// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.oracles;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.webauthn4j.converter.util.ObjectConverter;
import com.webauthn4j.credential.CredentialRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.List;
import org.keycloak.credential.WebAuthnCredentialModelInput;
import org.keycloak.credential.WebAuthnPasswordlessCredentialProvider;
import org.keycloak.models.credential.WebAuthnCredentialModel;
import org.keycloak.models.utils.ModelToRepresentation;
import org.keycloak.representations.idm.UserRepresentation;
import org.keycloak.util.JsonSerialization;

/** Stores credentials and writes users with Keycloak's own classes, without its server. */
final class KeycloakExport {
    private static final long CREATED = 1_767_323_045_678L;

    private KeycloakExport() {}

    /** A user of a realm export with one passwordless credential, which Keycloak converts, stores and represents. */
    static String user(JsonNode user, CredentialRecord credential) {
        WebAuthnCredentialModelInput input =
                new WebAuthnCredentialModelInput(WebAuthnCredentialModel.TYPE_PASSWORDLESS);
        input.setAttestedCredentialData(credential.getAttestedCredentialData());
        input.setCount(credential.getCounter());
        input.setAttestationStatementFormat("none");
        input.setTransports(credential.getTransports());
        // the session and the metadata are only used for sign-ins and for the account page
        WebAuthnCredentialModel model = new WebAuthnPasswordlessCredentialProvider(null, null, new ObjectConverter())
                .getCredentialModelFromCredentialInput(input, "my key");
        model.setId("c8b9a1e4-6f8a-4f0b-9d62-0a2f6c1f7a55");
        model.setCreatedDate(CREATED);

        String[] names = user.get("displayName").asText().split(" ", 2);
        UserRepresentation exported = new UserRepresentation();
        exported.setId(new String(Base64.getUrlDecoder().decode(user.get("id").asText()), UTF_8));
        exported.setUsername(user.get("name").asText());
        exported.setFirstName(names[0]);
        exported.setLastName(names.length > 1 ? names[1] : null);
        exported.setEnabled(true);
        exported.setCredentials(List.of(ModelToRepresentation.toRepresentation(model)));
        exported.setRealmRoles(List.of("default-roles-example"));
        try {
            return JsonSerialization.writeValueAsString(exported);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
