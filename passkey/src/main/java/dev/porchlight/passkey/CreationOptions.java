// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.passkey.store.UserRecord;
import java.util.List;

/**
 * What a browser needs to make a passkey: the options of {@code navigator.credentials.create()}. Immutable.
 *
 * @param challenge base64url
 * @param user for whom; {@code user.id} is his random handle and never his user id
 * @param excludeCredentials the passkeys he has, so that no authenticator makes a second one
 * @param config the rest
 */
public record CreationOptions(
        String challenge, UserRecord user, List<CredentialDescriptor> excludeCredentials, PasskeyConfig config) {
    /** ES256, the one algorithm that is offered. */
    private static final int ES256 = -7;

    public CreationOptions {
        excludeCredentials = List.copyOf(excludeCredentials);
    }

    /** {@code PublicKeyCredentialCreationOptionsJSON}, as {@code parseCreationOptionsFromJSON} takes it. */
    public String toJson() {
        String name = user.name() == null ? user.userId() : user.name();
        String displayName = user.displayName() == null ? name : user.displayName();
        return JsonWriter.object(json -> json.object(
                        "rp", rp -> rp.text("name", config.rpName()).text("id", config.rpId()))
                .object(
                        "user",
                        it -> it.text("id", user.userHandle())
                                .text("name", name)
                                .text("displayName", displayName))
                .text("challenge", challenge)
                .objects(
                        "pubKeyCredParams",
                        List.of(ES256),
                        (it, alg) -> it.text("type", "public-key").number("alg", alg))
                .number("timeout", config.challengeTtl().toMillis())
                .objects("excludeCredentials", excludeCredentials, (it, credential) -> credential.writeTo(it))
                // The second member says the same to browsers that know Level 1 only.
                .object(
                        "authenticatorSelection",
                        it -> it.text("residentKey", "required")
                                .bool("requireResidentKey", true)
                                .text(
                                        "userVerification",
                                        config.userVerification().value()))
                .texts("hints", config.hints())
                .text("attestation", attestation())
                .object("extensions", it -> it.bool("credProps", true)));
    }

    @Override
    public String toString() {
        return toJson();
    }

    private String attestation() {
        return switch (config.attestationPolicy()) {
            case NOT_REQUESTED -> "none";
            case ACCEPT_UNTRUSTED, REQUIRE_TRUSTED -> "direct";
        };
    }
}
