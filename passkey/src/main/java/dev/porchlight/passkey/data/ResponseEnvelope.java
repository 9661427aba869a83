// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import org.jspecify.annotations.Nullable;

/** The members that a registration and an authentication response share. */
record ResponseEnvelope(
        Bytes id, Bytes rawId, @Nullable String attachment, JsonObject extensionResults, JsonObject response) {
    /** The decoded size of the longest possible base64url member. */
    static final int MAX_PART_BYTES = JsonObject.MAX_CHARS / 4 * 3;

    static ResponseEnvelope parse(String json) throws MalformedException {
        JsonObject envelope = JsonObject.parse(json, "");
        Bytes id = envelope.bytes("id", AttestedCredential.MAX_ID_BYTES);
        Bytes rawId = envelope.bytes("rawId", AttestedCredential.MAX_ID_BYTES);
        if (id.isEmpty() || rawId.isEmpty()) {
            throw envelope.malformed(id.isEmpty() ? "id" : "rawId", "empty");
        }
        if (!envelope.text("type").equals("public-key")) {
            throw envelope.malformed("type", "not public-key");
        }
        return new ResponseEnvelope(
                id, rawId, attachment(envelope), extensionResults(envelope), envelope.object("response"));
    }

    /** Refuses the results of the prf extension: keys of the user that {@code toJSON()} includes, and no server may see. */
    private static JsonObject extensionResults(JsonObject envelope) throws MalformedException {
        JsonObject results = envelope.object("clientExtensionResults");
        if (results.isObject("prf")) {
            JsonObject prf = results.object("prf");
            if (prf.names().contains("results") && !prf.isNull("results")) {
                throw prf.malformed("results", "secrets, which the page must remove");
            }
        }
        return results;
    }

    /** An unknown attachment counts as absent, as the specification requires. */
    private static @Nullable String attachment(JsonObject envelope) throws MalformedException {
        String attachment = envelope.optionalText("authenticatorAttachment");
        boolean known = "platform".equals(attachment) || "cross-platform".equals(attachment);
        return known ? attachment : null;
    }
}
