// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.passkey.store.CredentialRecord;
import java.util.List;

/**
 * Names a passkey to a browser: WebAuthn's {@code PublicKeyCredentialDescriptorJSON}.
 *
 * @param id base64url
 * @param transports how the authenticator can be reached, as it was told at registration; empty if unknown
 */
public record CredentialDescriptor(String id, List<String> transports) {
    public CredentialDescriptor {
        transports = List.copyOf(transports);
    }

    static CredentialDescriptor of(CredentialRecord credential) {
        return new CredentialDescriptor(credential.credentialId(), credential.transports());
    }

    void writeTo(JsonWriter json) {
        json.text("type", "public-key").text("id", id);
        if (!transports.isEmpty()) {
            json.texts("transports", transports);
        }
    }
}
