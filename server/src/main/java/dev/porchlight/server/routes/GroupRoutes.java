// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.auth.GroupAdministration;
import dev.porchlight.server.auth.GroupAdministration.JoinResult;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.storage.UserGroups;
import java.util.List;

/** The groups of users, for operators: {@code /admin/groups}. */
public final class GroupRoutes {
    private static final Problem INVALID_GROUP = Problem.of(
            400,
            "invalid_group",
            "A group's name has 1 to 64 letters, digits and the characters '.', '_', ':', '@', '-'.");
    private static final Problem NO_USER =
            Problem.of(404, "not_found", "The user does not exist and has no enrollment link.");
    private static final Problem NO_GROUP = Problem.of(404, "not_found", "The group does not exist.");
    private static final Problem HAS_MEMBERS =
            Problem.of(409, "group_has_members", "The group has members. Remove them first.");

    private final GroupAdministration groups;
    private final Sql sql;

    public GroupRoutes(GroupAdministration groups, Sql sql) {
        this.groups = groups;
        this.sql = sql;
    }

    public void mount(Router.Builder router) {
        router.get("/admin/groups", Access.ADMIN_READ, this::list);
        router.get("/admin/groups/{group}", Access.ADMIN_READ, this::show);
        router.add(Method.PATCH, "/admin/groups/{group}", Access.ADMIN_RECENT, this::change);
        router.add(Method.DELETE, "/admin/groups/{group}", Access.ADMIN_RECENT, this::remove);
        router.post("/admin/groups/{group}/{userId}", Access.ADMIN_RECENT, this::join);
        router.add(Method.DELETE, "/admin/groups/{group}/{userId}", Access.ADMIN_RECENT, this::leave);
    }

    private Response list(Exchange exchange) {
        return Response.json(
                200,
                json -> json.objects(
                        "groups",
                        UserGroups.all(sql),
                        (member, group) -> member.text("group", group.group()).number("members", group.members())));
    }

    private Response show(Exchange exchange) throws ProblemException {
        String group = require(exchange.pathParameter("group"));
        return Response.json(
                200,
                json -> json.text("group", group)
                        .texts("members", UserGroups.members(sql, group))
                        .optionalJson("claims", UserGroups.claims(sql, group)));
    }

    /** Changes the claims that the group gives its members. */
    private Response change(Exchange exchange, Operator operator) throws Exception {
        String group = require(exchange.pathParameter("group"));
        JsonObject body = exchange.jsonObject();
        if (!List.copyOf(body.names()).equals(List.of("claims"))) {
            throw new ProblemException(Problem.malformed("The body must have the member claims, and no other."));
        }
        var unused = groups.changeClaims(group, body.object("claims"), operator);
        return Response.of(204);
    }

    private Response remove(Exchange exchange, Operator operator) throws ProblemException {
        String group = require(exchange.pathParameter("group"));
        if (!groups.remove(group, operator)) {
            throw new ProblemException(UserGroups.members(sql, group).isEmpty() ? NO_GROUP : HAS_MEMBERS);
        }
        return Response.of(204);
    }

    private Response join(Exchange exchange, Operator operator) throws ProblemException {
        String userId = UserIdCheck.require(exchange.pathParameter("userId"));
        String group = require(exchange.pathParameter("group"));
        if (groups.add(group, userId, operator) == JoinResult.UNKNOWN_USER) {
            throw new ProblemException(NO_USER);
        }
        return Response.of(204);
    }

    private Response leave(Exchange exchange, Operator operator) throws ProblemException {
        String userId = UserIdCheck.require(exchange.pathParameter("userId"));
        var unused = groups.remove(require(exchange.pathParameter("group")), userId, operator);
        return Response.of(204);
    }

    /** Refuses what is not the name of a group. */
    static String require(String group) throws ProblemException {
        if (!UserGroups.NAME.matcher(group).matches()) {
            throw new ProblemException(INVALID_GROUP);
        }
        return group;
    }
}
