// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import org.jspecify.annotations.Nullable;

/**
 * What a browser sends after {@code navigator.credentials.get()}: {@code AuthenticationResponseJSON}.
 *
 * @param id the credential's id
 * @param rawId the same once more; whether it is the same is for the ceremony to judge
 * @param clientDataJson the bytes for {@link CollectedClientData#parse}
 * @param authenticatorData the bytes for {@link AuthenticatorData#parse}
 * @param signature the signature, not yet looked at
 * @param userHandle 1 to 64 bytes, if the authenticator named the user
 * @param authenticatorAttachment {@code platform} or {@code cross-platform}, if said
 */
public record AuthenticationResponse(
        Bytes id,
        Bytes rawId,
        Bytes clientDataJson,
        Bytes authenticatorData,
        Bytes signature,
        @Nullable Bytes userHandle,
        @Nullable String authenticatorAttachment) {
    private static final int MAX_USER_HANDLE_BYTES = 64;

    /** Reads the JSON; members that are not used are ignored. */
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
                // Some platforms send an empty handle for keys that keep none.
                userHandle == null || userHandle.isEmpty() ? null : userHandle,
                envelope.attachment());
    }
}
