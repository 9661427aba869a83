// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.PasskeyListing;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore.Removal;
import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.auth.GroupAdministration;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.OperatorAdministration;
import dev.porchlight.server.auth.OperatorRoles;
import dev.porchlight.server.auth.Permission;
import dev.porchlight.server.auth.RecoveryCodes;
import dev.porchlight.server.auth.Role;
import dev.porchlight.server.auth.Sessions;
import dev.porchlight.server.auth.UserAdministration;
import dev.porchlight.server.auth.UserAdministration.Result;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Handler;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.people.ProfileChange;
import dev.porchlight.server.people.ProfileMember;
import dev.porchlight.server.people.Profiles;
import dev.porchlight.server.people.UserSearch;
import dev.porchlight.server.storage.Actor;
import dev.porchlight.server.storage.PasskeySource;
import dev.porchlight.server.storage.UserDirectory;
import dev.porchlight.server.storage.UserGroups;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** User administration: {@code /admin/users}. */
public final class UserAdminRoutes {
    private static final Problem NO_USER = Problem.of(404, "not_found", "The user does not exist.");
    private static final Problem NO_PASSKEY = Problem.of(404, "not_found", "The user has no such passkey.");
    private static final Problem LAST =
            Problem.of(409, "last_credential", "This is the user's last passkey. Use force=true to remove it anyway.");
    private static final int MAX_QUERY = 256;
    private static final String GROUPS = "groups";
    private static final String ROLE = "role";
    /** The members of a change that are not part of the profile. */
    private static final Set<String> BESIDE_PROFILE = Set.of(GROUPS, ROLE);

    private final UserAdministration users;
    private final GroupAdministration groups;
    private final OperatorAdministration operators;
    private final Profiles profiles;
    private final PasskeyService passkeys;
    private final Sessions sessions;
    private final Enrollments enrollments;
    private final Sql sql;
    private final Runnable erased;

    /**
     * The routes of user administration.
     *
     * @param erased is run after a user was erased
     */
    public UserAdminRoutes(
            UserAdministration users,
            GroupAdministration groups,
            OperatorAdministration operators,
            Profiles profiles,
            PasskeyService passkeys,
            Sessions sessions,
            Enrollments enrollments,
            Sql sql,
            Runnable erased) {
        this.users = users;
        this.groups = groups;
        this.operators = operators;
        this.profiles = profiles;
        this.passkeys = passkeys;
        this.sessions = sessions;
        this.enrollments = enrollments;
        this.sql = sql;
        this.erased = erased;
    }

    public void mount(Router.Builder router) {
        router.get("/admin/users", Access.ADMIN_READ, this::list);
        router.get("/admin/users/{userId}", Access.ADMIN_READ, this::show);
        router.add(Method.PATCH, "/admin/users/{userId}", Access.ADMIN_RECENT, this::change);
        router.add(Method.DELETE, "/admin/users/{userId}", Access.ADMIN_RECENT, this::erase);
        router.add(
                Method.DELETE,
                "/admin/users/{userId}/passkeys/{credentialId}",
                Access.ADMIN_RECENT,
                this::removePasskey);
        router.add(
                Method.DELETE,
                "/admin/users/{userId}/recovery-codes",
                Access.ADMIN_RECENT,
                handler(users::removeRecoveryCodes));
        mount(router, "/admin/users/{userId}/lock", Access.ADMIN, users::lock);
        mount(router, "/admin/users/{userId}/unlock", Access.ADMIN_RECENT, users::unlock);
        mount(router, "/admin/users/{userId}/sign-out", Access.ADMIN_SUPPORT, users::signOut);
    }

    /** A change of one user. Both the first request and one that repeats it succeed. */
    @FunctionalInterface
    private interface Change {
        Result apply(String userId, Actor by);
    }

    private void mount(Router.Builder router, String template, Access.For<Operator> access, Change change) {
        router.post(template, access, handler(change));
    }

    private static Handler.For<Operator> handler(Change change) {
        return (exchange, operator) -> {
            String userId = exchange.pathParameter("userId");
            requireFound(userId, change.apply(userId, operator));
            return Response.of(204);
        };
    }

    private static void requireFound(String userId, Result result) throws ProblemException {
        if (result == Result.NOT_FOUND) {
            UserIdCheck.require(userId); // checked last, so that imported users with any id can be locked
            throw new ProblemException(NO_USER);
        }
    }

    private Response list(Exchange exchange) throws ProblemException {
        String query = Page.parameter(exchange, "query");
        String after = Page.parameter(exchange, "after");
        if (query != null && query.length() > MAX_QUERY || after != null && after.length() > MAX_QUERY) {
            throw new ProblemException(
                    Problem.malformed("query and after must have at most " + MAX_QUERY + " characters."));
        }
        int limit = Page.limit(exchange);
        return Page.of(UserSearch.page(sql, query, after, limit + 1), limit, UserSearch.Found::userId)
                .response("users", (member, user) -> user.write(member));
    }

    private Response show(Exchange exchange) throws ProblemException {
        UserDirectory.Entry user = find(exchange.pathParameter("userId"));
        List<CredentialRecord> registered = passkeys.passkeys(user.userId());
        return Response.json(
                200, json -> describe(json, user, registered, sessions, enrollments, passkeys.authenticators(), sql));
    }

    private UserDirectory.Entry find(String userId) throws ProblemException {
        UserDirectory.Entry user = UserDirectory.find(sql, userId);
        if (user == null) {
            UserIdCheck.require(userId);
            throw new ProblemException(NO_USER);
        }
        return user;
    }

    /** Writes all that operators see of a user. */
    public static void describe(
            JsonWriter json,
            UserDirectory.Entry user,
            List<CredentialRecord> passkeys,
            Sessions sessions,
            Enrollments enrollments,
            Authenticators authenticators,
            Sql sql) {
        Role role = new OperatorRoles(sql).of(user.userId());
        user.write(json);
        Profiles.find(sql, user.userId()).write(json);
        json.texts("groups", UserGroups.of(sql, user.userId()))
                .optionalText("role", role == null ? null : role.code())
                .bool("enrollmentPending", enrollments.isPending(user.userId()))
                .number("recoveryCodes", RecoveryCodes.of(sql, user.userId(), 0).remaining());
        describe(json, passkeys, authenticators, sql);
        json.objects(
                "sessions",
                sessions.of(user.userId()),
                (member, session) -> member.number("authTime", session.authTime())
                        .number("expiresAt", session.expiresAt())
                        .text("credentialId", session.grant().credentialId())
                        .text("userAgent", session.userAgent()));
    }

    /** Writes passkeys with the browsers that registered them. */
    public static void describe(
            JsonWriter json, List<CredentialRecord> passkeys, Authenticators authenticators, Sql sql) {
        Map<String, PasskeySource> sources = PasskeySource.of(sql, passkeys);
        var writer = PasskeyListing.writer(authenticators);
        json.objects("passkeys", passkeys, (member, passkey) -> {
            writer.accept(member, passkey);
            sources.getOrDefault(passkey.credentialId(), PasskeySource.UNKNOWN).write(member);
        });
    }

    /**
     * Changes the role and the profile of a user, and replaces the groups. Each change has its audit row; a request that failed
     * halfway can be repeated. The role comes first, because only its change may be refused.
     */
    private Response change(Exchange exchange, Operator operator) throws Exception {
        JsonObject body = exchange.jsonObject();
        if (body.names().isEmpty() || body.isNull(GROUPS)) {
            throw new ProblemException(Problem.malformed("The body must have a member; groups cannot be null."));
        }
        ProfileChange profile = ProfileChange.parse(body, EnumSet.allOf(ProfileMember.class), BESIDE_PROFILE);
        List<String> wanted = body.texts(GROUPS);
        for (String group : wanted) {
            GroupRoutes.require(group);
        }
        boolean changesRole = body.names().contains(ROLE);
        Role role = changesRole && !body.isNull(ROLE) ? OperatorRoutes.role(body) : null;
        if (changesRole) {
            AdminGate.requireMay(operator, Permission.OWN);
        }
        String userId = find(exchange.pathParameter("userId")).userId();
        if (changesRole) {
            boolean force = "true".equals(exchange.queryParameter("force"));
            OperatorRoutes.requireDone(operators.set(userId, role, force, operator));
        }
        boolean known =
                (profile.isEmpty() || profiles.change(userId, profile, operator).isPresent())
                        && (!body.names().contains(GROUPS)
                                || groups.replace(wanted, UserGroups.of(sql, userId), userId, operator));
        if (!known) {
            throw new ProblemException(NO_USER);
        }
        return Response.of(204);
    }

    private Response erase(Exchange exchange, Operator operator) throws ProblemException {
        String userId = exchange.pathParameter("userId");
        Result result = users.erase(userId, operator);
        requireFound(userId, result);
        erased.run();
        return Response.of(204);
    }

    private Response removePasskey(Exchange exchange, Operator operator) throws ProblemException {
        boolean force = "true".equals(exchange.queryParameter("force"));
        Removal removal = users.removePasskey(
                exchange.pathParameter("userId"), exchange.pathParameter("credentialId"), force, operator);
        return switch (removal) {
            case REMOVED -> Response.of(204);
            case NOT_FOUND -> throw new ProblemException(NO_PASSKEY);
            case LAST -> throw new ProblemException(LAST);
        };
    }
}
