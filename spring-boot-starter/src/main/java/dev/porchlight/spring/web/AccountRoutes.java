// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import static dev.porchlight.spring.web.PasskeyEndpoint.json;
import static dev.porchlight.spring.web.PasskeyEndpoint.problem;
import static dev.porchlight.spring.web.Routing.READ;
import static dev.porchlight.spring.web.Routing.WRITE;

import dev.porchlight.base.CommonProblem;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyListing;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.store.CredentialStore.Removal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** The routes for signed-in users: their session and their own passkeys. Thread-safe. */
record AccountRoutes(
        PasskeyService passkeys,
        PasskeyConfig config,
        AccountUsers users,
        SignInTime times,
        PasskeySignOut signOut,
        RefusalLog refusals) {
    private static final HttpMethod[] CHANGE = {HttpMethod.PATCH, HttpMethod.DELETE};

    RouterFunction<ServerResponse> router() {
        Routing routing = new Routing(config, refusals);
        return routing.route("/auth/session", READ, this::session)
                .and(routing.route("/auth/logout", WRITE, this::logout))
                .and(routing.route("/auth/passkey/credentials", READ, this::list))
                .and(routing.route(
                        "/auth/passkey/credentials/{credentialId}",
                        CHANGE,
                        (request, response) -> request.method().equals(HttpMethod.PATCH)
                                ? rename(request)
                                : remove(request, response)));
    }

    private ServerResponse session(ServerRequest request, HttpServletResponse response) {
        HttpServletRequest servletRequest = request.servletRequest();
        String userId = users.require(servletRequest);
        Instant time = times.of(servletRequest, userId);
        boolean token = servletRequest.getHeader("Authorization") != null;
        return json(
                request,
                200,
                JsonWriter.object(members -> members.text("userId", userId)
                        .text("via", token ? "token" : "session")
                        .optionalTime("authTime", time)));
    }

    private ServerResponse logout(ServerRequest request, HttpServletResponse response) {
        HttpServletRequest servletRequest = request.servletRequest();
        if (!"true".equals(PasskeyEndpoint.query(request, "everywhere"))) {
            signOut.signOut(servletRequest, response);
        } else if (!signOut.signOutEverywhere(users.require(servletRequest), servletRequest, response)) {
            throw problem(400, "unsupported", "This application cannot end the sessions of other browsers.");
        }
        return PasskeyEndpoint.empty(request);
    }

    private ServerResponse list(ServerRequest request, HttpServletResponse response) {
        return listing(request, users.require(request.servletRequest()));
    }

    private ServerResponse rename(ServerRequest request) throws IOException, MalformedException {
        String userId = users.require(request.servletRequest());
        String name = JsonObject.parse(PasskeyEndpoint.body(request), "").text("name");
        if (!passkeys.rename(userId, request.pathVariable("credentialId"), name)) {
            throw problem(CommonProblem.NO_SUCH_PASSKEY);
        }
        return listing(request, userId);
    }

    private ServerResponse remove(ServerRequest request, HttpServletResponse response) {
        String userId = users.requireRecent(request.servletRequest());
        String credentialId = request.pathVariable("credentialId");
        boolean allowLast = "true".equals(PasskeyEndpoint.query(request, "force"));
        Removal removal = passkeys.remove(userId, credentialId, allowLast);
        if (removal != Removal.REMOVED) {
            throw problem(removal == Removal.LAST ? CommonProblem.LAST_CREDENTIAL : CommonProblem.NO_SUCH_PASSKEY);
        }
        if (credentialId.equals(SessionSignIn.credentialId(request.servletRequest(), userId))) {
            signOut.signOut(request.servletRequest(), response);
        }
        return listing(request, userId);
    }

    private ServerResponse listing(ServerRequest request, String userId) {
        return json(request, 200, PasskeyListing.of(passkeys, config, userId).toJson((member, passkey) -> {}));
    }
}
