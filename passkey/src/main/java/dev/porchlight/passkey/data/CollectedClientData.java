// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/**
 * What the browser saw (WebAuthn section 5.8.1), read from {@code clientDataJSON}.
 *
 * <p>Members that this version does not know are ignored, as the specification demands.
 *
 * @param raw the bytes as received, which is what the hash covers
 * @param type {@code webauthn.create} or {@code webauthn.get}, or anything else
 * @param challenge base64url of the challenge, as received
 * @param origin the origin of the page, as received
 * @param crossOrigin whether the page was in a frame of another origin; false when not said
 * @param topOrigin the origin of the top-level page, if said
 * @param tokenBound whether it claims a token binding, which Level 3 dropped
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

    /** Reads UTF-8, with or without a byte order mark, holding one JSON object. */
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

    /** A status that the specification does not know counts as no member at all, as it demands. */
    private static boolean tokenBound(JsonObject json) throws MalformedException {
        JsonObject binding = json.optionalObject("tokenBinding");
        if (binding == null || !binding.text("status").equals("present")) {
            return false;
        }
        binding.bytes("id", MAX_TOKEN_BINDING_BYTES);
        return true;
    }

    /** SHA-256 over the bytes as received. */
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

    /** The specification decodes UTF-8 as browsers do, which drops one byte order mark. */
    static String withoutMark(String text) {
        boolean marked = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK;
        return marked ? text.substring(1) : text;
    }
}
