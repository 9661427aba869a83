// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.passkey.store.UserRecord;
import java.util.List;

/**
 * The options of {@code navigator.credentials.create()}. Immutable.
 *
 * @param challenge the challenge in base64url
 * @param user the user; {@code user.id} is the random handle and never the user id
 * @param excludeCredentials the user's passkeys, so that no authenticator creates a second one
 * @param config the values for the other options
 * @param extensions the extensions to request
 */
public record CreationOptions(
        String challenge,
        UserRecord user,
        List<CredentialDescriptor> excludeCredentials,
        PasskeyConfig config,
        Extensions extensions) {
    public CreationOptions {
        excludeCredentials = List.copyOf(excludeCredentials);
    }

    /** {@code PublicKeyCredentialCreationOptionsJSON}, for {@code parseCreationOptionsFromJSON}. */
    public String toJson() {
        String name = user.name() == null ? user.userId() : user.name();
        String verification = extensions.verification(config.userVerification()).value();
        String displayName = user.displayName() == null ? name : user.displayName();
        return JsonWriter.object(json -> {
            json.object("rp", rp -> rp.text("name", config.rpName()).text("id", config.rpId()))
                    .object(
                            "user",
                            it -> it.text("id", user.userHandle())
                                    .text("name", name)
                                    .text("displayName", displayName))
                    .text("challenge", challenge)
                    .objects(
                            "pubKeyCredParams",
                            offeredNumbers(),
                            (it, alg) -> it.text("type", "public-key").number("alg", alg))
                    .number("timeout", config.challengeTtl().toMillis())
                    .objects("excludeCredentials", excludeCredentials, (it, credential) -> credential.writeTo(it))
                    // requireResidentKey is for browsers that only support Level 1.
                    .object(
                            "authenticatorSelection",
                            it -> it.text("residentKey", "required")
                                    .bool("requireResidentKey", true)
                                    .text("userVerification", verification))
                    .texts("hints", config.hints())
                    .text("attestation", attestation());
            if (!config.attestationFormats().isEmpty()) {
                json.texts("attestationFormats", config.attestationFormats());
            }
            json.object("extensions", extensions::writeCreation);
        });
    }

    @Override
    public String toString() {
        return toJson();
    }

    private List<Long> offeredNumbers() {
        return config.algorithms().stream()
                .flatMap(algorithm -> algorithm.numbers().stream())
                .toList();
    }

    private String attestation() {
        if (config.enterpriseAttestation().contains(user.userId())) {
            return "enterprise";
        }
        return switch (config.attestationPolicy()) {
            case NOT_REQUESTED -> "none";
            case ACCEPT_UNTRUSTED, REQUIRE_TRUSTED -> "direct";
        };
    }
}
