// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.server.auth.CeremonyRequest;
import dev.porchlight.server.auth.Sessions.Opened;
import dev.porchlight.server.auth.SignIn;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.token.Tokens;
import java.util.function.Consumer;

/** Responses to requests that signed a user in: a token, a session cookie or both, as {@code LOGIN_RESULT} says. Thread-safe. */
public final class SignInResponses {
    private final Tokens tokens;
    private final SessionCookie cookie;
    private final Config config;

    public SignInResponses(Tokens tokens, SessionCookie cookie, Config config) {
        this.tokens = tokens;
        this.cookie = cookie;
        this.config = config;
    }

    SessionCookie cookie() {
        return cookie;
    }

    /**
     * The response to a committed sign-in.
     *
     * @param request the ceremony that signed the user in
     * @param members writes the members that come before those of the sign-in
     */
    Response of(int status, SignIn signIn, CeremonyRequest request, Consumer<JsonWriter> members) {
        Opened session = request.opened();
        Tokens.Issued token =
                config.get(Settings.LOGIN_RESULT).token() ? tokens.issue(signIn, request.generation()) : null;
        Response response = Response.json(status, json -> {
            members.accept(json);
            if (token != null) {
                json.text("token", token.value())
                        .text("tokenType", "Bearer")
                        .number("expiresAt", token.expiresAt().toEpochMilli());
            }
            json.text("userId", signIn.userId());
        });
        return session == null
                ? response
                : response.with("Set-Cookie", cookie.keep(session.id(), config.get(Settings.SESSION_TTL_SECONDS)));
    }
}
