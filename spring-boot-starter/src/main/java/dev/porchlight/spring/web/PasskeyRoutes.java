// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import static dev.porchlight.spring.web.PasskeyEndpoint.json;
import static dev.porchlight.spring.web.PasskeyEndpoint.problem;
import static dev.porchlight.spring.web.Routing.READ;
import static dev.porchlight.spring.web.Routing.WRITE;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.passkey.AuthenticationResult;
import dev.porchlight.passkey.AuthenticationResult.Verified;
import dev.porchlight.passkey.CeremonyListener;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.RegistrationRequest;
import dev.porchlight.passkey.RegistrationResult;
import dev.porchlight.passkey.RegistrationResult.Registered;
import dev.porchlight.passkey.RequestOptions;
import dev.porchlight.passkey.VerifiedAssertion;
import dev.porchlight.spring.web.PasskeyEndpoint.PasskeyProblem;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** The routes of the ceremonies: registration, login and reports of browsers. Thread-safe. */
record PasskeyRoutes(
        PasskeyService passkeys,
        PasskeyConfig config,
        RegisteringUser registering,
        PasskeySignIn signIn,
        RefusalLog refusals) {
    static final String REPORT = "/auth/passkey/report";

    /** How an operation ended. Confined to one request. */
    private static final class Ending implements CeremonyListener {
        private @Nullable Outcome outcome;

        @Override
        public void finished(Operation operation, Outcome ended, long nanos) {
            outcome = ended;
        }
    }

    RouterFunction<ServerResponse> router() {
        Routing routing = new Routing(config, refusals);
        return routing.route("/auth/passkey/register/options", READ, this::registrationOptions)
                .and(routing.route("/auth/passkey/register/finish", WRITE, this::finishRegistration))
                .and(routing.route("/auth/passkey/login/options", READ, this::loginOptions))
                .and(routing.route("/auth/passkey/login/finish", WRITE, this::finishLogin))
                .and(routing.route(REPORT, WRITE, this::report));
    }

    private ServerResponse registrationOptions(ServerRequest request, HttpServletResponse response) {
        boolean conditional = "conditional".equals(PasskeyEndpoint.query(request, "mediation"));
        var registration = new RegistrationRequest(null, null, conditional);
        return json(
                request,
                200,
                passkeys.startRegistration(user(request), registration).toJson());
    }

    private ServerResponse finishRegistration(ServerRequest request, HttpServletResponse response) throws IOException {
        var ending = new Ending();
        RegistrationResult result =
                passkeys.with(ending).finishRegistration(user(request), PasskeyEndpoint.body(request));
        if (result instanceof Registered registered) {
            return json(
                    request,
                    201,
                    JsonWriter.object(json -> json.text(
                                    "credentialId", registered.credential().credentialId())
                            .optionalJson(
                                    "extensions",
                                    registered.extensions().toJson().orElse(null))));
        }
        var refused = (RegistrationResult.Refused) result;
        refusals.refused(request, "registration", ending.outcome, null);
        throw new PasskeyProblem(refused.httpStatus(), refused.step().code(), refused.error(), refused.detail() + '.');
    }

    private ServerResponse loginOptions(ServerRequest request, HttpServletResponse response) {
        String userId = PasskeyEndpoint.query(request, "userId");
        RequestOptions options = userId == null ? passkeys.startAuthentication() : passkeys.startAuthentication(userId);
        return json(request, 200, options.toJson());
    }

    private ServerResponse finishLogin(ServerRequest request, HttpServletResponse response) throws IOException {
        String json = PasskeyEndpoint.body(request);
        String userId = PasskeyEndpoint.query(request, "userId");
        var ending = new Ending();
        PasskeyService service = passkeys.with(ending);
        AuthenticationResult result =
                userId == null ? service.finishAuthentication(json) : service.finishAuthentication(userId, json);
        if (!result.verified()) {
            refusals.refused(request, "login", ending.outcome, JsonObject.find(json, "response", "userHandle"));
            throw loginFailed();
        }
        VerifiedAssertion proof = ((Verified) result).assertion();
        PasskeySignIn.Outcome outcome = signIn.signIn(proof, request.servletRequest(), response);
        if (outcome instanceof PasskeySignIn.Refused refused) {
            refusals.refusedByApplication(request, proof.userId(), refused.cause());
            throw loginFailed();
        }
        if (outcome instanceof PasskeySignIn.Session) {
            SessionSignIn.save(
                    request.servletRequest(), proof.userId(), proof.credential().credentialId());
        }
        return json(request, 200, JsonWriter.object(members -> {
            if (outcome instanceof PasskeySignIn.Token token) {
                members.text("token", token.value());
            }
            members.text("userId", proof.userId());
        }));
    }

    private ServerResponse report(ServerRequest request, HttpServletResponse response) throws IOException {
        String json = PasskeyEndpoint.body(request);
        refusals.reported(
                request,
                JsonObject.find(json, "ceremony"),
                JsonObject.find(json, "outcome"),
                JsonObject.find(json, "userId"));
        return PasskeyEndpoint.empty(request);
    }

    /** Returns the same response for every cause; only the log and the metrics contain the cause. */
    private static PasskeyProblem loginFailed() {
        return problem(401, AuthenticationResult.ERROR_CODE, AuthenticationResult.ERROR);
    }

    private String user(ServerRequest request) {
        return AccountUsers.required(registering.userId(request.servletRequest()));
    }
}
