// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the challenge in a response that is refused as malformed, so that it can be spent all the same.
 *
 * <p>What is found vouches for nothing, so it is read as leniently as it costs nothing to: up to the first member of that
 * name, whatever else is missing, misspelt or broken off. The bounds on size and depth are those of every other document.
 */
public final class ResponseChallenge {
    private static final Pattern FOREIGN = Pattern.compile("[^A-Za-z0-9_-]");

    private ResponseChallenge() {}

    /** The challenge in the client data of a response, or null if none can be made out. */
    public static @Nullable String inResponse(String json) {
        String clientData = JsonObject.find(json, "response", "clientDataJSON");
        if (clientData == null) {
            return null;
        }
        try {
            String letters = FOREIGN.matcher(clientData).replaceAll("");
            return inClientData(Bytes.copyOf(Base64.getUrlDecoder().decode(letters)));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The challenge in client data, or null if none can be made out. */
    public static @Nullable String inClientData(Bytes clientDataJson) {
        String text = new String(clientDataJson.toByteArray(), StandardCharsets.UTF_8);
        return JsonObject.find(CollectedClientData.withoutMark(text), "challenge");
    }
}
