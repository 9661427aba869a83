// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.JsonWriter;
import java.util.List;

/**
 * What a browser needs to use a passkey: the options of {@code navigator.credentials.get()}. Immutable.
 *
 * @param challenge base64url
 * @param allowCredentials the passkeys that may be used; empty if the user shall choose among all he has for us
 * @param config the rest
 */
public record RequestOptions(String challenge, List<CredentialDescriptor> allowCredentials, PasskeyConfig config) {
    public RequestOptions {
        allowCredentials = List.copyOf(allowCredentials);
    }

    /** {@code PublicKeyCredentialRequestOptionsJSON}, as {@code parseRequestOptionsFromJSON} takes it. */
    public String toJson() {
        return JsonWriter.object(json -> json.text("challenge", challenge)
                .number("timeout", config.challengeTtl().toMillis())
                .text("rpId", config.rpId())
                .objects("allowCredentials", allowCredentials, (it, credential) -> credential.writeTo(it))
                .text("userVerification", config.userVerification().value())
                .texts("hints", config.hints()));
    }

    @Override
    public String toString() {
        return toJson();
    }
}
