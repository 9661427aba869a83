// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.passkey.decoy.Decoys.Decoy;
import dev.porchlight.passkey.store.CredentialRecord;
import java.util.List;

/**
 * A passkey in the options for a browser: WebAuthn's {@code PublicKeyCredentialDescriptorJSON}. Immutable.
 *
 * @param id the credential id in base64url
 * @param transports how the authenticator can be reached, as reported at registration; empty if unknown
 */
public record CredentialDescriptor(String id, List<String> transports) {
    public CredentialDescriptor {
        transports = List.copyOf(transports);
    }

    static CredentialDescriptor of(CredentialRecord credential) {
        return new CredentialDescriptor(
                credential.credentialId(), credential.authenticator().transports());
    }

    static CredentialDescriptor of(Decoy decoy) {
        return new CredentialDescriptor(decoy.id().base64Url(), decoy.transports());
    }

    void writeTo(JsonWriter json) {
        json.text("type", "public-key").text("id", id);
        if (!transports.isEmpty()) {
            json.texts("transports", transports);
        }
    }
}
