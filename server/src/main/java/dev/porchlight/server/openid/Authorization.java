// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.auth.Grant;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client was granted by one sign-in.
 *
 * @param id names it in codes, refresh tokens and access tokens
 * @param session the handle of the session that it came from, or empty
 * @param grant the sign-in, with the generation of the user's access
 * @param methods how the user signed in
 * @param dpopThumbprint the key that tokens are bound to, or null
 * @param clientGeneration of the client when it was granted
 */
record Authorization(
        String id,
        String clientId,
        String session,
        Grant grant,
        String redirectUri,
        String codeChallenge,
        List<String> scopes,
        @Nullable String nonce,
        List<String> methods,
        @Nullable String dpopThumbprint,
        long clientGeneration) {

    String userId() {
        return grant.userId();
    }

    /** The same with tokens bound to a key, if there is one. */
    Authorization boundTo(@Nullable String thumbprint) {
        return thumbprint == null
                ? this
                : new Authorization(
                        id,
                        clientId,
                        session,
                        grant,
                        redirectUri,
                        codeChallenge,
                        scopes,
                        nonce,
                        methods,
                        thumbprint,
                        clientGeneration);
    }

    boolean hasScope(String scope) {
        return scopes.contains(scope);
    }

    /** The content to seal: everything but the id, the client and the session, which are columns. */
    String toJson() {
        return JsonWriter.object(json -> {
            json.text("userId", grant.userId())
                    .text("credentialId", grant.credentialId())
                    .number("generation", grant.generation() == null ? 0 : grant.generation())
                    .number("passkeyCreatedAt", grant.passkeyCreatedAt())
                    .number("authTime", grant.authTime().getEpochSecond())
                    .text("redirectUri", redirectUri)
                    .text("codeChallenge", codeChallenge)
                    .texts("scopes", scopes)
                    .texts("methods", methods)
                    .number("clientGeneration", clientGeneration);
            if (nonce != null) {
                json.text("nonce", nonce);
            }
            if (dpopThumbprint != null) {
                json.text("dpopThumbprint", dpopThumbprint);
            }
        });
    }

    static Authorization parse(String id, String clientId, String session, String content) throws MalformedException {
        JsonObject json = JsonObject.parse(content, "authorization");
        Grant grant = new Grant(
                json.text("userId"),
                json.text("credentialId"),
                json.integer("passkeyCreatedAt"),
                json.integer("generation"),
                Instant.ofEpochSecond(json.integer("authTime")));
        return new Authorization(
                id,
                clientId,
                session,
                grant,
                json.text("redirectUri"),
                json.text("codeChallenge"),
                json.texts("scopes"),
                json.optionalText("nonce"),
                json.texts("methods"),
                json.optionalText("dpopThumbprint"),
                json.integer("clientGeneration"));
    }
}
