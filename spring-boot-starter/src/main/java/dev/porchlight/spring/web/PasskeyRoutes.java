// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import static dev.porchlight.spring.web.PasskeyEndpoint.json;
import static dev.porchlight.spring.web.PasskeyEndpoint.problem;
import static org.springframework.web.servlet.function.RequestPredicates.methods;
import static org.springframework.web.servlet.function.RequestPredicates.path;

import dev.porchlight.base.CommonProblem;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.passkey.AuthenticationResult;
import dev.porchlight.passkey.AuthenticationResult.Verified;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.RegistrationResult;
import dev.porchlight.passkey.RegistrationResult.Registered;
import dev.porchlight.passkey.RequestOptions;
import dev.porchlight.passkey.VerifiedAssertion;
import dev.porchlight.spring.web.PasskeyEndpoint.Handler;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.http.HttpMethod;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** The routes under {@code /auth/passkey}: registration and login. Thread-safe. */
final class PasskeyRoutes {
    private static final HttpMethod[] READ = {HttpMethod.GET, HttpMethod.HEAD};
    private static final HttpMethod[] WRITE = {HttpMethod.POST};

    private final PasskeyService passkeys;
    private final RegisteringUser registering;
    private final PasskeySignIn signIn;
    private final Set<String> origins;

    PasskeyRoutes(PasskeyService passkeys, PasskeyConfig config, RegisteringUser registering, PasskeySignIn signIn) {
        this.passkeys = passkeys;
        this.registering = registering;
        this.signIn = signIn;
        this.origins = new HashSet<>(config.relatedOrigins());
        origins.add(config.origin());
    }

    RouterFunction<ServerResponse> router() {
        return route("/auth/passkey/register/options", READ, this::registrationOptions)
                .and(route("/auth/passkey/register/finish", WRITE, this::finishRegistration))
                .and(route("/auth/passkey/login/options", READ, this::loginOptions))
                .and(route("/auth/passkey/login/finish", WRITE, this::finishLogin));
    }

    private ServerResponse registrationOptions(ServerRequest request, HttpServletResponse response) {
        return json(request, 200, passkeys.startRegistration(user(request)).toJson());
    }

    private ServerResponse finishRegistration(ServerRequest request, HttpServletResponse response) throws IOException {
        RegistrationResult result = passkeys.finishRegistration(user(request), PasskeyEndpoint.body(request));
        if (result instanceof Registered registered) {
            String credentialId = registered.credential().credentialId();
            return json(request, 201, JsonWriter.object(json -> json.text("credentialId", credentialId)));
        }
        var refused = (RegistrationResult.Refused) result;
        String code = refused.step().code();
        PasskeyEndpoint.logRefusal(request, "registration", code, refused.detail());
        throw problem(refused.httpStatus(), code, refused.error(), refused.detail());
    }

    private ServerResponse loginOptions(ServerRequest request, HttpServletResponse response) {
        String userId = PasskeyEndpoint.userId(request);
        RequestOptions options = userId == null ? passkeys.startAuthentication() : passkeys.startAuthentication(userId);
        return json(request, 200, options.toJson());
    }

    private ServerResponse finishLogin(ServerRequest request, HttpServletResponse response) throws IOException {
        String json = PasskeyEndpoint.body(request);
        String userId = PasskeyEndpoint.userId(request);
        AuthenticationResult result =
                userId == null ? passkeys.finishAuthentication(json) : passkeys.finishAuthentication(userId, json);
        if (result instanceof AuthenticationResult.Refused refused) {
            throw loginFailed(request, refused.step().code(), refused.detail());
        }
        VerifiedAssertion proof = ((Verified) result).assertion();
        PasskeySignIn.Outcome outcome = signIn.signIn(proof, request.servletRequest(), response);
        if (outcome instanceof PasskeySignIn.Refused refused) {
            throw loginFailed(request, "sign_in_refused", refused.cause());
        }
        return json(request, 200, JsonWriter.object(members -> {
            if (outcome instanceof PasskeySignIn.Token token) {
                members.text("token", token.value());
            }
            members.text("userId", proof.userId());
        }));
    }

    /** Returns the same response for every cause; only the log and the metrics contain the cause. */
    private static ErrorResponseException loginFailed(ServerRequest request, String code, String detail) {
        PasskeyEndpoint.logRefusal(request, "login", code, detail);
        return problem(401, AuthenticationResult.ERROR_CODE, AuthenticationResult.ERROR);
    }

    private String user(ServerRequest request) {
        String userId = registering.userId(request.servletRequest());
        if (userId == null) {
            throw problem(401, "unauthenticated", "Sign in first.");
        }
        return userId;
    }

    /** Returns a route for the allowed methods, and a 405 response for all others. */
    private RouterFunction<ServerResponse> route(String path, HttpMethod[] allowed, Handler handler) {
        String allow =
                String.join(", ", Stream.of(allowed).map(HttpMethod::name).toList());
        Handler otherwise = (request, response) -> {
            response.setHeader("Allow", allow);
            throw problem(CommonProblem.METHOD_NOT_ALLOWED);
        };
        return RouterFunctions.route(methods(allowed).and(path(path)), new PasskeyEndpoint(origins, handler))
                .andRoute(path(path), new PasskeyEndpoint(origins, otherwise));
    }
}
