// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import static org.springframework.web.servlet.function.RequestPredicates.methods;
import static org.springframework.web.servlet.function.RequestPredicates.path;

import dev.porchlight.passkey.AuthenticationResult;
import dev.porchlight.passkey.AuthenticationResult.Verified;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.RegistrationResult;
import dev.porchlight.passkey.RegistrationResult.Registered;
import dev.porchlight.passkey.RequestOptions;
import dev.porchlight.passkey.data.JsonWriter;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.passkey.verify.VerifiedAssertion;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** Registering passkeys and signing in with them: {@code /auth/passkey/*}. Thread-safe. */
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

    private Answer registrationOptions(Exchange exchange) throws ProblemException {
        return Answer.json(200, passkeys.startRegistration(user(exchange)).toJson());
    }

    private Answer finishRegistration(Exchange exchange) throws ProblemException, IOException {
        String userId = user(exchange);
        RegistrationResult result = passkeys.finishRegistration(userId, exchange.json());
        if (result instanceof Registered registered) {
            String credentialId = registered.credential().credentialId();
            return Answer.json(201, JsonWriter.object(json -> json.text("credentialId", credentialId)));
        }
        var refused = (RegistrationResult.Refused) result;
        exchange.logRefusal("registration", refused.step().code(), refused.detail());
        int status = refused.step() == Step.CREDENTIAL_EXISTS ? 409 : 400;
        return exchange.problem(
                new Problem(status, refused.step().code(), "The passkey was not registered", refused.detail()));
    }

    private Answer loginOptions(Exchange exchange) throws ProblemException {
        String userId = exchange.userId();
        RequestOptions options = userId == null ? passkeys.startAuthentication() : passkeys.startAuthentication(userId);
        return Answer.json(200, options.toJson());
    }

    private Answer finishLogin(Exchange exchange) throws ProblemException, IOException {
        String json = exchange.json();
        String userId = exchange.userId();
        AuthenticationResult result =
                userId == null ? passkeys.finishAuthentication(json) : passkeys.finishAuthentication(userId, json);
        if (result instanceof AuthenticationResult.Refused refused) {
            exchange.logRefusal("login", refused.step().code(), refused.detail());
            return exchange.problem(Problem.FAILED);
        }
        return letIn(exchange, ((Verified) result).assertion());
    }

    private Answer letIn(Exchange exchange, VerifiedAssertion proof) {
        PasskeySignIn.Outcome outcome = signIn.signIn(proof, exchange.request(), exchange.response());
        if (outcome instanceof PasskeySignIn.Refused refused) {
            exchange.logRefusal("login", "not_let_in", refused.cause());
            return exchange.problem(Problem.FAILED);
        }
        return Answer.json(200, JsonWriter.object(json -> {
            if (outcome instanceof PasskeySignIn.Token token) {
                json.text("token", token.value());
            }
            json.text("userId", proof.userId());
        }));
    }

    private String user(Exchange exchange) throws ProblemException {
        String userId = registering.userId(exchange.request());
        if (userId == null) {
            throw new ProblemException(Problem.UNAUTHENTICATED);
        }
        return userId;
    }

    /**
     * The route under these methods, and what its path says to others. All work is done where the response is at hand, since a
     * sign-in may set cookies.
     */
    private RouterFunction<ServerResponse> route(String path, HttpMethod[] allowed, Exchange.Work work) {
        String allow =
                String.join(", ", Stream.of(allowed).map(HttpMethod::name).toList());
        Exchange.Work otherwise = exchange -> {
            exchange.response().setHeader("Allow", allow);
            throw new ProblemException(Problem.METHOD);
        };
        return RouterFunctions.route(methods(allowed).and(path(path)), request -> answer(work))
                .andRoute(path(path), request -> answer(otherwise));
    }

    private ServerResponse answer(Exchange.Work work) {
        return ServerResponse.ok().build((request, response) -> {
            Exchange.run(request, response, origins, work);
            return null;
        });
    }
}
