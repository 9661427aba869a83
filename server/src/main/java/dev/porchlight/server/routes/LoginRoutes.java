// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonObject;
import dev.porchlight.passkey.AuthenticationResult;
import dev.porchlight.passkey.AuthenticationResult.Refused;
import dev.porchlight.passkey.AuthenticationResult.Verified;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.RequestOptions;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.VerifiedAssertion;
import dev.porchlight.server.auth.Ceremonies;
import dev.porchlight.server.auth.CeremonyRequest;
import dev.porchlight.server.auth.Sessions.Opened;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.telemetry.CeremonyTelemetry;
import dev.porchlight.server.token.Tokens;

/** Signing in with a passkey: {@code /auth/passkey/login/*}. */
public final class LoginRoutes {
    /** One shape for every cause, which is in the logs, the metrics and the trace. */
    private static final Problem FAILED = Problem.of(401, AuthenticationResult.ERROR_CODE, AuthenticationResult.ERROR);

    /** Only the sender's own syntax error, so it reveals nothing about users or passkeys. */
    private static final Problem NOT_JSON = Problem.of(400, "malformed_json", "The request body is not valid JSON");

    private final PasskeyService passkeys;
    private final Tokens tokens;
    private final Ceremonies ceremonies;
    private final SessionCookie cookie;
    private final Config config;
    private final CeremonyTelemetry telemetry;

    public LoginRoutes(
            PasskeyService passkeys,
            Tokens tokens,
            Ceremonies ceremonies,
            SessionCookie cookie,
            Config config,
            CeremonyTelemetry telemetry) {
        this.passkeys = passkeys;
        this.tokens = tokens;
        this.ceremonies = ceremonies;
        this.cookie = cookie;
        this.config = config;
        this.telemetry = telemetry;
    }

    public void mount(Router.Builder router) {
        router.get("/auth/passkey/login/options", Access.LOGIN_OPTIONS, this::options);
        router.post("/auth/passkey/login/finish", Access.LOGIN_FINISH, this::finish);
    }

    private Response options(Exchange exchange) throws Exception {
        String userId = UserIdCheck.inQuery(exchange);
        PasskeyService service = passkeys.with(telemetry.listener(exchange));
        RequestOptions options = userId == null ? service.startAuthentication() : service.startAuthentication(userId);
        return Response.json(200, options.toJson());
    }

    private Response finish(Exchange exchange) throws Exception {
        String userId = UserIdCheck.inQuery(exchange);
        String json = exchange.jsonText();
        String userAgent = exchange.header("User-Agent");
        CeremonyRequest commit = ceremonies.request(
                exchange.correlationId(),
                userAgent == null ? "" : userAgent,
                cookie.read(exchange)); // the login replaces this session, which no cookie would name any more
        AuthenticationResult result =
                passkeys.with(telemetry.listener(exchange, json)).finishAuthentication(userId, json, commit);
        if (result instanceof Refused refused && refused.step() == Step.RESPONSE && !JsonObject.isJson(json)) {
            return NOT_JSON.response(exchange.correlationId());
        }
        return result instanceof Verified verified
                ? welcome(verified.assertion(), commit)
                : FAILED.response(exchange.correlationId());
    }

    private Response welcome(VerifiedAssertion proof, CeremonyRequest login) {
        Opened session = login.opened();
        Tokens.Issued token =
                config.get(Settings.LOGIN_RESULT).token() ? tokens.issue(proof, login.generation()) : null;
        Response response = Response.json(200, json -> {
            if (token != null) {
                json.text("token", token.value())
                        .text("tokenType", "Bearer")
                        .number("expiresAt", token.expiresAt().toEpochMilli());
            }
            json.text("userId", proof.userId());
        });
        return session == null
                ? response
                : response.with("Set-Cookie", cookie.keep(session.id(), config.get(Settings.SESSION_TTL_SECONDS)));
    }
}
