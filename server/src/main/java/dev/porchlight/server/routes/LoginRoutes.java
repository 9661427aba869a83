// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonObject;
import dev.porchlight.passkey.AuthenticationResult;
import dev.porchlight.passkey.AuthenticationResult.Refused;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.RequestOptions;
import dev.porchlight.passkey.Step;
import dev.porchlight.server.auth.Ceremonies;
import dev.porchlight.server.auth.CeremonyRequest;
import dev.porchlight.server.auth.SignIn;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.telemetry.CeremonyTelemetry;

/** Signs users in with a passkey: {@code /auth/passkey/login/*}. */
public final class LoginRoutes {
    /** The same response for every cause. The cause is in logs, metrics and traces. */
    private static final Problem FAILED = Problem.of(401, AuthenticationResult.ERROR_CODE, AuthenticationResult.ERROR);

    /** A syntax error of the sender, which reveals nothing about users or passkeys. */
    private static final Problem NOT_JSON = Problem.of(400, "malformed_json", "The request body is not valid JSON.");

    private final PasskeyService passkeys;
    private final Ceremonies ceremonies;
    private final SignInResponses responses;
    private final CeremonyTelemetry telemetry;

    public LoginRoutes(
            PasskeyService passkeys, Ceremonies ceremonies, SignInResponses responses, CeremonyTelemetry telemetry) {
        this.passkeys = passkeys;
        this.ceremonies = ceremonies;
        this.responses = responses;
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
                responses.cookie().read(exchange)); // the login replaces this session
        AuthenticationResult result =
                passkeys.with(telemetry.listener(exchange, json)).finishAuthentication(userId, json, commit);
        if (result instanceof Refused refused && refused.step() == Step.RESPONSE && !JsonObject.isJson(json)) {
            return NOT_JSON.response(exchange.correlationId());
        }
        SignIn signIn = commit.signIn();
        return result.verified() && signIn != null
                ? responses.of(200, signIn, commit, members -> {})
                : FAILED.response(exchange.correlationId());
    }
}
