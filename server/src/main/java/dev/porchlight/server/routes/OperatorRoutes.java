// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.auth.ApiTokens;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.OperatorAdministration;
import dev.porchlight.server.auth.OperatorAdministration.Issued;
import dev.porchlight.server.auth.OperatorAdministration.Result;
import dev.porchlight.server.auth.OperatorRoles;
import dev.porchlight.server.auth.Role;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import java.time.InstantSource;

/** The roles of operators and the named tokens of programs: {@code /admin/operators} and {@code /admin/tokens}. */
public final class OperatorRoutes {
    private static final Problem NO_USER =
            Problem.of(404, "not_found", "The user does not exist and has no enrollment link.");
    private static final Problem NO_OPERATOR = Problem.of(404, "not_found", "This user has no role.");
    private static final Problem NO_TOKEN = Problem.of(404, "not_found", "There is no such token.");
    private static final Problem LAST_OWNER = Problem.of(
            409, "last_owner", "This is the last owner, and there is no ADMIN_TOKEN. Use force=true to do it anyway.");
    private static final Problem EXISTS = Problem.of(
            409, "token_exists", "There is a token with this name, or there are 100 tokens. Revoke one first.");

    private final OperatorAdministration administration;
    private final OperatorRoles roles;
    private final ApiTokens tokens;
    private final InstantSource clock;

    public OperatorRoutes(
            OperatorAdministration administration, OperatorRoles roles, ApiTokens tokens, InstantSource clock) {
        this.administration = administration;
        this.roles = roles;
        this.tokens = tokens;
        this.clock = clock;
    }

    public void mount(Router.Builder router) {
        router.get("/admin/operators", Access.ADMIN_SETTINGS, this::list);
        router.post("/admin/operators", Access.OWNER_RECENT, this::add);
        router.add(Method.DELETE, "/admin/operators/{userId}", Access.OWNER_RECENT, this::remove);
        router.get("/admin/tokens", Access.ADMIN_SETTINGS, this::listTokens);
        router.post("/admin/tokens", Access.OWNER_RECENT, this::issue);
        router.add(Method.DELETE, "/admin/tokens/{name}", Access.OWNER_RECENT, this::revoke);
    }

    private Response list(Exchange exchange) {
        return Response.json(
                200, json -> json.objects("operators", roles.all(), (member, entry) -> entry.write(member)));
    }

    private Response add(Exchange exchange, Operator operator) throws Exception {
        JsonObject body = exchange.jsonObject();
        String userId = UserIdCheck.require(body.text("userId"));
        boolean force = Boolean.TRUE.equals(body.optionalBool("force"));
        requireDone(administration.add(userId, role(body), force, operator));
        return Response.of(204);
    }

    private Response remove(Exchange exchange, Operator operator) throws ProblemException {
        boolean force = "true".equals(exchange.queryParameter("force"));
        String userId = exchange.pathParameter("userId");
        Result result = administration.remove(userId, force, operator);
        if (result == Result.UNCHANGED) {
            throw new ProblemException(NO_OPERATOR);
        }
        requireDone(result);
        return Response.of(204);
    }

    static void requireDone(Result result) throws ProblemException {
        switch (result) {
            case DONE, UNCHANGED -> {}
            case UNKNOWN_USER -> throw new ProblemException(NO_USER);
            case LAST_OWNER -> throw new ProblemException(LAST_OWNER);
        }
    }

    private Response listTokens(Exchange exchange) {
        return Response.json(200, json -> json.objects("tokens", tokens.all(), (member, token) -> token.write(member)));
    }

    private Response issue(Exchange exchange, Operator operator) throws Exception {
        JsonObject body = exchange.jsonObject();
        String name = body.text("name");
        if (!ApiTokens.NAME.matcher(name).matches()) {
            throw body.malformed("name", "must have 1 to 64 letters, digits and the characters '.', '_', '-'");
        }
        Long expiresAt = body.optionalInteger("expiresAt");
        if (expiresAt != null && expiresAt <= clock.millis()) {
            throw body.malformed("expiresAt", "must be a time in the future, in milliseconds since 1970");
        }
        Issued issued = administration.issue(name, role(body), expiresAt, operator);
        if (issued == null) {
            throw new ProblemException(EXISTS);
        }
        return Response.json(201, json -> {
            json.text("token", issued.secret());
            tokens.find(name).ifPresent(token -> token.write(json));
        });
    }

    private Response revoke(Exchange exchange, Operator operator) throws ProblemException {
        if (!administration.revoke(exchange.pathParameter("name"), operator)) {
            throw new ProblemException(NO_TOKEN);
        }
        return Response.of(204);
    }

    static Role role(JsonObject body) throws MalformedException {
        Role role = Role.of(body.text("role"));
        if (role == null) {
            throw body.malformed("role", "must be owner, operator, support or auditor");
        }
        return role;
    }
}
