// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.logout;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.openid.protocol.RefusedException;
import dev.porchlight.server.openid.token.OpenIdTokens;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A logout request of a client.
 *
 * @param client the client that asks, by the hint's audience or by its id; null if neither is given
 * @param userId the user of the hint, or null
 * @param session the session of the hint, or null
 */
record LogoutRequest(
        @Nullable Client client,
        @Nullable String userId,
        @Nullable String session,
        Parameters parameters) {

    /**
     * Reads a request.
     *
     * @throws RefusedException if the client is unknown, or is not the one of the hint
     */
    static LogoutRequest of(Parameters parameters, Clients clients, OpenIdTokens tokens) throws RefusedException {
        String hint = parameters.get("id_token_hint");
        JWTClaimsSet claims = hint == null ? null : tokens.hint(hint);
        String named = parameters.get("client_id");
        List<String> audience = claims == null ? List.of() : claims.getAudience();
        String id = named == null && audience.size() == 1 ? audience.get(0) : named;
        Client client = id == null ? null : clients.find(id);
        if (id != null && (client == null || claims != null && !audience.equals(List.of(id)))) {
            throw Reason.UNKNOWN_CLIENT.refused("client_id", "the audience of id_token_hint", id);
        }
        Object session = claims == null ? null : claims.getClaim("sid");
        return new LogoutRequest(
                client,
                claims == null ? null : claims.getSubject(),
                session instanceof String text ? text : null,
                parameters);
    }

    String clientId() {
        return client == null ? "" : client.id();
    }

    /**
     * Where the user returns to, with the state; null if the request does not say.
     *
     * @throws RefusedException if the client did not register it
     */
    @Nullable
    String target() throws RefusedException {
        String uri = parameters.get("post_logout_redirect_uri");
        if (uri == null) {
            return null;
        }
        if (client == null || !client.settings().logoutUris().contains(uri)) {
            String expected = client == null
                    ? "client_id or id_token_hint beside it"
                    : String.join(" or ", client.settings().logoutUris());
            throw Reason.LOGOUT_URI_MISMATCH.refused("post_logout_redirect_uri", expected, uri);
        }
        String state = parameters.get("state");
        return state == null
                ? uri
                : uri + (uri.contains("?") ? '&' : '?') + "state=" + URLEncoder.encode(state, StandardCharsets.UTF_8);
    }
}
