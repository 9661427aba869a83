// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import org.jspecify.annotations.Nullable;

/**
 * What client data of Level 2 says about token binding, which Level 3 dropped.
 *
 * @param status {@code supported}, {@code not-supported} or {@code present}
 * @param id the token binding id, there exactly when the status is {@code present}
 */
public record TokenBinding(String status, @Nullable Bytes id) {
    private static final int MAX_ID_BYTES = 1024;

    /** Reads the member; a status that the specification does not know counts as no member at all, as it demands. */
    static @Nullable TokenBinding read(JsonObject clientData) throws MalformedException {
        JsonObject binding = clientData.optionalObject("tokenBinding");
        if (binding == null) {
            return null;
        }
        String status = binding.text("status");
        return switch (status) {
            case "supported", "not-supported" -> new TokenBinding(status, null);
            case "present" -> new TokenBinding(status, binding.bytes("id", MAX_ID_BYTES));
            default -> null;
        };
    }
}
