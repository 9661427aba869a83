// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the challenge in a response that is refused as malformed, so that it can be marked as used.
 *
 * <p>The parser is lenient, because the result is not trusted: it finds the first member of that name, even if other parts are
 * missing, misspelled or truncated. The usual bounds on size and depth apply.
 */
public final class ResponseChallenge {
    private static final Pattern NOT_BASE64URL = Pattern.compile("[^A-Za-z0-9_-]");

    private ResponseChallenge() {}

    /** Returns the challenge in the client data of a response, or null if it cannot be found. */
    public static @Nullable String inResponse(String json) {
        String clientData = JsonObject.find(json, "response", "clientDataJSON");
        if (clientData == null) {
            return null;
        }
        try {
            String cleaned = NOT_BASE64URL.matcher(clientData).replaceAll("");
            return inClientData(Bytes.copyOf(Base64.getUrlDecoder().decode(cleaned)));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Returns the challenge in client data, or null if it cannot be found. */
    public static @Nullable String inClientData(Bytes clientDataJson) {
        String text = new String(clientDataJson.toByteArray(), StandardCharsets.UTF_8);
        return JsonObject.find(CollectedClientData.withoutMark(text), "challenge");
    }
}
