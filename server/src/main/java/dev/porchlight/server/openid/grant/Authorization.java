// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.grant;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.auth.Grant;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.protocol.Refusal;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client was granted by one sign-in.
 *
 * @param id names it in codes, refresh tokens and access tokens
 * @param clientGeneration of the client when it was granted
 * @param session the handle of the session that it came from, or empty
 * @param subject the user's name for clients, as the claim {@code sub} has it
 * @param grant the sign-in, with the generation of the user's access
 * @param methods how the user signed in
 * @param redeemedAt when the latest code or refresh token was redeemed, in milliseconds since the epoch; 0 before that
 */
public record Authorization(
        String id,
        String clientId,
        long clientGeneration,
        String session,
        String subject,
        Grant grant,
        List<String> methods,
        CodeRequest request,
        long redeemedAt) {
    /** The generation of no client. */
    private static final long ENDED = -1;

    public String userId() {
        return grant.userId();
    }

    public boolean hasScope(String scope) {
        return request.scopes().contains(scope);
    }

    /** Why the present settings of its client no longer allow it, or null. */
    public @Nullable Refusal refusal(Client client) {
        if (clientGeneration != client.generation()) {
            return Reason.ACCESS_ENDED.of(
                    "client settings", "a sign-in since they became stricter", "an earlier sign-in");
        }
        return client.accepts(request.redirectUri())
                ? null
                : Reason.ACCESS_ENDED.of(
                        "redirect_uri", String.join(" or ", client.settings().redirectUris()), request.redirectUri());
    }

    /** The same after a code or refresh token was redeemed, with tokens bound to a key, if there is one. */
    Authorization redeemed(long now, @Nullable String thumbprint) {
        return new Authorization(
                id, clientId, clientGeneration, session, subject, grant, methods, request.boundTo(thumbprint), now);
    }

    /** The same with a new id, to which no token leads, and which no settings of the client allow. */
    Authorization ended(String newId) {
        return new Authorization(newId, clientId, ENDED, session, subject, grant, methods, request, redeemedAt);
    }

    /** The content to seal: everything but the id, the client and the session, which are columns. */
    String toJson() {
        return JsonWriter.object(json -> {
            grant.write(json);
            json.text("subject", subject)
                    .texts("methods", methods)
                    .number("clientGeneration", clientGeneration)
                    .number("redeemedAt", redeemedAt);
            request.write(json);
        });
    }

    static Authorization parse(String id, String clientId, String session, String content) throws MalformedException {
        JsonObject json = JsonObject.parse(content, "authorization");
        return new Authorization(
                id,
                clientId,
                json.integer("clientGeneration"),
                session,
                json.text("subject"),
                Grant.read(json),
                json.texts("methods"),
                CodeRequest.read(json),
                json.integer("redeemedAt"));
    }
}
