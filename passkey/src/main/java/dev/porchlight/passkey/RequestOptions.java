// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.JsonWriter;
import java.util.List;

/**
 * The options of {@code navigator.credentials.get()}. Immutable.
 *
 * @param challenge the challenge in base64url
 * @param allowCredentials the passkeys that may be used; empty for any passkey of this relying party
 * @param config the values for the other options
 * @param extensions the extensions to request
 */
public record RequestOptions(
        String challenge, List<CredentialDescriptor> allowCredentials, PasskeyConfig config, Extensions extensions) {
    public RequestOptions {
        allowCredentials = List.copyOf(allowCredentials);
    }

    /** {@code PublicKeyCredentialRequestOptionsJSON}, for {@code parseRequestOptionsFromJSON}. */
    public String toJson() {
        return JsonWriter.object(json -> {
            json.text("challenge", challenge)
                    .number("timeout", config.challengeTtl().toMillis())
                    .text("rpId", config.rpId())
                    .objects("allowCredentials", allowCredentials, (it, credential) -> credential.writeTo(it))
                    .text("userVerification", config.userVerification().value())
                    .texts("hints", config.hints());
            if (extensions.hasRequest()) {
                json.object("extensions", inputs -> extensions.writeRequest(inputs, allowCredentials));
            }
        });
    }

    @Override
    public String toString() {
        return toJson();
    }
}
