// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.grant;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks for, and gets with its code.
 *
 * @param codeChallenge of PKCE, with S256; null if the client did not send it
 * @param dpopThumbprint the key that tokens are bound to, or null
 */
public record CodeRequest(
        String redirectUri,
        @Nullable String codeChallenge,
        List<String> scopes,
        @Nullable String nonce,
        @Nullable String dpopThumbprint) {

    /** The same with tokens bound to a key, if there is one. */
    public CodeRequest boundTo(@Nullable String thumbprint) {
        return thumbprint == null ? this : new CodeRequest(redirectUri, codeChallenge, scopes, nonce, thumbprint);
    }

    public void write(JsonWriter json) {
        json.text("redirectUri", redirectUri)
                .optionalText("codeChallenge", codeChallenge)
                .texts("scopes", scopes)
                .optionalText("nonce", nonce)
                .optionalText("dpopThumbprint", dpopThumbprint);
    }

    public static CodeRequest read(JsonObject json) throws MalformedException {
        return new CodeRequest(
                json.text("redirectUri"),
                json.optionalText("codeChallenge"),
                json.texts("scopes"),
                json.optionalText("nonce"),
                json.optionalText("dpopThumbprint"));
    }
}
