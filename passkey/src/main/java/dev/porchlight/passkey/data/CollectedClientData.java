// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/**
 * The client data of a browser (WebAuthn section 5.8.1), parsed from {@code clientDataJSON}.
 *
 * <p>Unknown members are ignored, as the specification requires.
 *
 * @param raw the bytes as received, which the hash covers
 * @param type {@code webauthn.create} or {@code webauthn.get}, or any other text
 * @param challenge base64url of the challenge, as received
 * @param origin the origin of the page, as received
 * @param crossOrigin whether the page was in a frame of another origin; false if absent
 * @param topOrigin the origin of the top-level page, if present
 * @param tokenBound whether it claims a token binding, which Level 3 removed
 */
public record CollectedClientData(
        Bytes raw,
        String type,
        String challenge,
        String origin,
        boolean crossOrigin,
        @Nullable String topOrigin,
        boolean tokenBound) {
    private static final String PART = "clientDataJSON";
    private static final int MAX_TOKEN_BINDING_BYTES = 1024;
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    /** Parses a JSON object in UTF-8, with an optional byte order mark. */
    public static CollectedClientData parse(Bytes raw) throws MalformedException {
        JsonObject json = JsonObject.parse(decode(raw), PART);
        Boolean crossOrigin = json.optionalBool("crossOrigin");
        return new CollectedClientData(
                raw,
                json.text("type"),
                json.text("challenge"),
                json.text("origin"),
                crossOrigin != null && crossOrigin,
                json.optionalText("topOrigin"),
                tokenBound(json));
    }

    /** An unknown status counts as absent, as the specification requires. */
    private static boolean tokenBound(JsonObject json) throws MalformedException {
        JsonObject binding = json.optionalObject("tokenBinding");
        if (binding == null || !binding.text("status").equals("present")) {
            return false;
        }
        binding.bytes("id", MAX_TOKEN_BINDING_BYTES);
        return true;
    }

    public Bytes hash() {
        return raw.sha256();
    }

    private static String decode(Bytes raw) throws MalformedException {
        try {
            return withoutMark(Utf8.decode(raw.toByteArray(), 0, raw.size()));
        } catch (CharacterCodingException e) {
            throw new MalformedException(PART, "not UTF-8");
        }
    }

    /** Drops one byte order mark, as "UTF-8 decode" in the specification does. */
    static String withoutMark(String text) {
        boolean marked = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK;
        return marked ? text.substring(1) : text;
    }
}
