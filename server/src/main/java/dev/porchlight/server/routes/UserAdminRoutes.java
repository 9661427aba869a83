// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.PasskeyListing;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore.Removal;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEntry;
import dev.porchlight.server.audit.AuditEntry.Cursor;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.Sessions;
import dev.porchlight.server.auth.UserAdministration;
import dev.porchlight.server.auth.UserAdministration.Result;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.storage.PasskeySource;
import dev.porchlight.server.storage.UserDirectory;
import dev.porchlight.server.storage.UserGroups;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** User administration: {@code /admin/users} and {@code /admin/audit}. */
public final class UserAdminRoutes {
    private static final Problem NO_USER = Problem.of(404, "not_found", "The user does not exist.");
    private static final Problem NO_PASSKEY = Problem.of(404, "not_found", "The user has no such passkey.");
    private static final Problem LAST =
            Problem.of(409, "last_credential", "This is the user's last passkey. Use force=true to remove it anyway.");
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 200;
    private static final int MAX_QUERY = 256;
    private static final Pattern LIMIT = Pattern.compile("\\d{1,3}");
    private static final Pattern TIME = Pattern.compile("\\d{1,15}");

    private final UserAdministration users;
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
            PasskeyService passkeys,
            Sessions sessions,
            Enrollments enrollments,
            Sql sql,
            Runnable erased) {
        this.users = users;
        this.passkeys = passkeys;
        this.sessions = sessions;
        this.enrollments = enrollments;
        this.sql = sql;
        this.erased = erased;
    }

    public void mount(Router.Builder router) {
        router.get("/admin/users", Access.ADMIN, this::list);
        router.get("/admin/users/{userId}", Access.ADMIN, this::show);
        router.add(Method.DELETE, "/admin/users/{userId}", Access.ADMIN, this::erase);
        router.add(Method.DELETE, "/admin/users/{userId}/passkeys/{credentialId}", Access.ADMIN, this::removePasskey);
        router.get("/admin/audit", Access.ADMIN, this::audit);
        mount(router, "/admin/users/{userId}/lock", users::lock);
        mount(router, "/admin/users/{userId}/unlock", users::unlock);
        mount(router, "/admin/users/{userId}/sign-out", users::signOut);
    }

    /** A change of one user. Both the first request and one that repeats it succeed. */
    @FunctionalInterface
    private interface Change {
        Result apply(String userId, String operator, String correlationId);
    }

    private void mount(Router.Builder router, String template, Change change) {
        router.post(template, Access.ADMIN, (exchange, operator) -> {
            String userId = exchange.pathParameter("userId");
            requireFound(userId, change.apply(userId, operator.label(), exchange.correlationId()));
            return Response.of(204);
        });
    }

    private static void requireFound(String userId, Result result) throws ProblemException {
        if (result == Result.NOT_FOUND) {
            UserIdCheck.require(userId); // checked last, so that imported users with any id can be locked
            throw new ProblemException(NO_USER);
        }
    }

    private Response list(Exchange exchange) throws ProblemException {
        String query = printable(exchange, "query");
        String after = printable(exchange, "after");
        if (query != null && query.length() > MAX_QUERY || after != null && after.length() > MAX_QUERY) {
            throw new ProblemException(
                    Problem.malformed("query and after must have at most " + MAX_QUERY + " characters."));
        }
        int limit = limit(exchange);
        List<UserDirectory.Entry> found =
                UserDirectory.list(sql, query == null || query.isBlank() ? null : query, after, limit + 1);
        return page("users", found, limit, (member, user) -> user.write(member), UserDirectory.Entry::userId);
    }

    /** A page of entries, and the cursor of the next page if one more entry than the limit was found. */
    private static <T> Response page(
            String name, List<T> found, int limit, BiConsumer<JsonWriter, T> write, Function<T, Object> cursor) {
        return Response.json(200, json -> {
            json.objects(name, found.subList(0, Math.min(limit, found.size())), write);
            if (found.size() > limit) {
                json.text("next", cursor.apply(found.get(limit - 1)).toString());
            }
        });
    }

    private Response show(Exchange exchange) throws ProblemException {
        String userId = exchange.pathParameter("userId");
        UserDirectory.Entry user = UserDirectory.find(sql, userId);
        if (user == null) {
            UserIdCheck.require(userId);
            throw new ProblemException(NO_USER);
        }
        List<CredentialRecord> registered = passkeys.passkeys(userId);
        return Response.json(200, json -> describe(json, user, registered, sessions, enrollments, sql));
    }

    /** Writes all that operators see of a user. */
    public static void describe(
            JsonWriter json,
            UserDirectory.Entry user,
            List<CredentialRecord> passkeys,
            Sessions sessions,
            Enrollments enrollments,
            Sql sql) {
        user.write(json);
        json.texts("groups", UserGroups.of(sql, user.userId()))
                .bool("enrollmentPending", enrollments.isPending(user.userId()));
        describe(json, passkeys, sql);
        json.objects(
                "sessions",
                sessions.of(user.userId()),
                (member, session) -> member.number("authTime", session.authTime())
                        .number("expiresAt", session.expiresAt())
                        .text("credentialId", session.grant().credentialId())
                        .text("userAgent", session.userAgent()));
    }

    /** Writes passkeys with the browsers that registered them. */
    public static void describe(JsonWriter json, List<CredentialRecord> passkeys, Sql sql) {
        Map<String, PasskeySource> sources = PasskeySource.of(sql, passkeys);
        json.objects("credentials", passkeys, (member, passkey) -> {
            PasskeyListing.write(member, passkey);
            sources.getOrDefault(passkey.credentialId(), PasskeySource.UNKNOWN).write(member);
        });
    }

    private Response erase(Exchange exchange, Operator operator) throws ProblemException {
        String userId = exchange.pathParameter("userId");
        Result result = users.erase(userId, operator.label(), exchange.correlationId());
        requireFound(userId, result);
        erased.run();
        return Response.of(204);
    }

    private Response removePasskey(Exchange exchange, Operator operator) throws ProblemException {
        boolean force = "true".equals(exchange.queryParameter("force"));
        Removal removal = users.removePasskey(
                exchange.pathParameter("userId"),
                exchange.pathParameter("credentialId"),
                force,
                operator.label(),
                exchange.correlationId());
        return switch (removal) {
            case REMOVED -> Response.of(204);
            case NOT_FOUND -> throw new ProblemException(NO_PASSKEY);
            case LAST -> throw new ProblemException(LAST);
        };
    }

    private Response audit(Exchange exchange) throws ProblemException {
        String userId = printable(exchange, "userId");
        String after = printable(exchange, "after");
        Cursor cursor = after == null ? null : Cursor.parse(after);
        if (after != null && cursor == null) {
            throw new ProblemException(Problem.malformed("after must be the value of next in an earlier response."));
        }
        int limit = limit(exchange);
        var query = new AuditEntry.Query(userId, action(exchange), since(exchange), cursor);
        List<AuditEntry> found = new AuditStore(sql).entries(query, limit + 1);
        return page("events", found, limit, (event, entry) -> entry.write(event), AuditEntry::cursor);
    }

    private static @Nullable AuditAction action(Exchange exchange) throws ProblemException {
        String code = exchange.queryParameter("action");
        if (code == null) {
            return null;
        }
        return Stream.of(AuditAction.values())
                .filter(action -> action.code().equals(code))
                .findFirst()
                .orElseThrow(
                        () -> new ProblemException(Problem.malformed("action must be an action of the audit log.")));
    }

    private static long since(Exchange exchange) throws ProblemException {
        String text = Objects.requireNonNullElse(exchange.queryParameter("since"), "0");
        if (!TIME.matcher(text).matches()) {
            throw new ProblemException(Problem.malformed("since must be a time in milliseconds since 1970."));
        }
        return Long.parseLong(text);
    }

    /** A query parameter without control characters, which not every database accepts. */
    private static @Nullable String printable(Exchange exchange, String name) throws ProblemException {
        String value = exchange.queryParameter(name);
        if (value != null && value.chars().anyMatch(Character::isISOControl)) {
            throw new ProblemException(Problem.malformed(name + " must not contain control characters."));
        }
        return value;
    }

    private static int limit(Exchange exchange) throws ProblemException {
        String text = exchange.queryParameter("limit");
        if (text == null) {
            return DEFAULT_LIMIT;
        }
        int limit = LIMIT.matcher(text).matches() ? Integer.parseInt(text) : 0;
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new ProblemException(Problem.malformed("limit must be 1 to " + MAX_LIMIT + '.'));
        }
        return limit;
    }
}
