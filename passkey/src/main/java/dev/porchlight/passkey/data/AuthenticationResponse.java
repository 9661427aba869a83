// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import org.jspecify.annotations.Nullable;

/**
 * The response to {@code navigator.credentials.get()}: {@code AuthenticationResponseJSON}.
 *
 * @param id the credential id
 * @param rawId the credential id again; the ceremony compares the two
 * @param clientDataJson the bytes for {@link CollectedClientData#parse}
 * @param authenticatorData the bytes for {@link AuthenticatorData#parse}
 * @param signature the signature, not yet parsed
 * @param userHandle 1 to 64 bytes, if the authenticator sent it
 * @param authenticatorAttachment {@code platform} or {@code cross-platform}, if present
 * @param extensionResults the outputs of client extensions, which are unsigned
 */
public record AuthenticationResponse(
        Bytes id,
        Bytes rawId,
        Bytes clientDataJson,
        Bytes authenticatorData,
        Bytes signature,
        @Nullable Bytes userHandle,
        @Nullable String authenticatorAttachment,
        JsonObject extensionResults) {
    private static final int MAX_USER_HANDLE_BYTES = 64;

    /** Parses the JSON. Unknown members are ignored. */
    public static AuthenticationResponse parse(String json) throws MalformedException {
        ResponseEnvelope envelope = ResponseEnvelope.parse(json);
        JsonObject response = envelope.response();
        Bytes userHandle = response.optionalBytes("userHandle", MAX_USER_HANDLE_BYTES);
        return new AuthenticationResponse(
                envelope.id(),
                envelope.rawId(),
                response.bytes("clientDataJSON", ResponseEnvelope.MAX_PART_BYTES),
                response.bytes("authenticatorData", ResponseEnvelope.MAX_PART_BYTES),
                response.bytes("signature", ResponseEnvelope.MAX_PART_BYTES),
                // Some platforms send an empty handle for keys without one.
                userHandle == null || userHandle.isEmpty() ? null : userHandle,
                envelope.attachment(),
                envelope.extensionResults());
    }
}
