// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The response to {@code navigator.credentials.create()}: {@code RegistrationResponseJSON}.
 *
 * <p>Its copies of the authenticator data and the public key are ignored, because they are not authenticated.
 *
 * @param id the credential id
 * @param rawId the credential id again; the ceremony compares the two
 * @param clientDataJson the bytes for {@link CollectedClientData#parse}
 * @param attestationObject the bytes for {@link AttestationObject#parse}
 * @param transports the transports of the authenticator, as received
 * @param authenticatorAttachment {@code platform} or {@code cross-platform}, if present
 * @param residentKey whether the credential is discoverable ({@code credProps.rk}), if present
 * @param extensionResults the outputs of client extensions, which are unsigned
 */
public record RegistrationResponse(
        Bytes id,
        Bytes rawId,
        Bytes clientDataJson,
        Bytes attestationObject,
        List<String> transports,
        @Nullable String authenticatorAttachment,
        @Nullable Boolean residentKey,
        JsonObject extensionResults) {
    private static final int MAX_TRANSPORTS = 16;
    private static final int MAX_TRANSPORT_CHARS = 32;

    public RegistrationResponse {
        transports = List.copyOf(transports);
    }

    /** Parses the JSON. Unknown members are ignored. */
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
                properties == null ? null : properties.optionalBool("rk"),
                envelope.extensionResults());
    }

    /** Unknown transports are kept, as the specification requires, so their number and length are limited. */
    private static List<String> transports(JsonObject response) throws MalformedException {
        List<String> transports = response.texts("transports");
        if (transports.size() > MAX_TRANSPORTS) {
            throw response.malformed("transports", "more than " + MAX_TRANSPORTS);
        }
        for (String transport : transports) {
            boolean printable = transport.chars().allMatch(c -> c > ' ' && c <= '~' && c != ',');
            if (transport.isEmpty() || transport.length() > MAX_TRANSPORT_CHARS || !printable) {
                throw response.malformed("transports", "an entry that is not printable ASCII");
            }
        }
        return transports;
    }
}
