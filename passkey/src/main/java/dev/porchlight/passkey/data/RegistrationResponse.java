// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a browser sends after {@code navigator.credentials.create()}: {@code RegistrationResponseJSON}.
 *
 * <p>Its copies of the authenticator data and of the public key are not read: nothing vouches for them.
 *
 * @param id the credential's id
 * @param rawId the same once more; whether it is the same is for the ceremony to judge
 * @param clientDataJson the bytes for {@link CollectedClientData#parse}
 * @param attestationObject the bytes for {@link AttestationObject#parse}
 * @param transports how the authenticator can be reached, as received
 * @param authenticatorAttachment {@code platform} or {@code cross-platform}, if said
 * @param residentKey whether the credential is discoverable ({@code credProps.rk}), if said
 */
public record RegistrationResponse(
        Bytes id,
        Bytes rawId,
        Bytes clientDataJson,
        Bytes attestationObject,
        List<String> transports,
        @Nullable String authenticatorAttachment,
        @Nullable Boolean residentKey) {
    private static final int MAX_TRANSPORTS = 16;
    private static final int MAX_TRANSPORT_CHARS = 32;

    public RegistrationResponse {
        transports = List.copyOf(transports);
    }

    /** Reads the JSON; members that are not used are ignored. */
    public static RegistrationResponse parse(String json) throws MalformedException {
        ResponseEnvelope envelope = ResponseEnvelope.parse(json);
        JsonObject response = envelope.response();
        JsonObject properties = envelope.extensionResults().optionalObject("credProps");
        return new RegistrationResponse(
                envelope.id(),
                envelope.rawId(),
                response.bytes("clientDataJSON", ResponseEnvelope.MAX_PART_BYTES),
                response.bytes("attestationObject", ResponseEnvelope.MAX_PART_BYTES),
                transports(response),
                envelope.attachment(),
                properties == null ? null : properties.optionalBool("rk"));
    }

    /** Unknown transports are kept, as the specification demands, so what is kept is bounded here. */
    private static List<String> transports(JsonObject response) throws MalformedException {
        List<String> transports = response.texts("transports");
        if (transports.size() > MAX_TRANSPORTS) {
            throw response.malformed("transports", "more than " + MAX_TRANSPORTS);
        }
        for (String transport : transports) {
            boolean printable = transport.chars().allMatch(c -> c > ' ' && c <= '~' && c != ',');
            if (transport.isEmpty() || transport.length() > MAX_TRANSPORT_CHARS || !printable) {
                throw response.malformed("transports", "one that is not a word of printable ASCII");
            }
        }
        return transports;
    }
}
