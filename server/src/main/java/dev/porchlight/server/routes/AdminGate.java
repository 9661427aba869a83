// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.server.audit.AuditSubjects;
import dev.porchlight.server.auth.ApiTokens;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.OperatorRoles;
import dev.porchlight.server.auth.Permission;
import dev.porchlight.server.auth.Role;
import dev.porchlight.server.auth.Session;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.OperatorProblem;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates operators: by the session of a user with a role, a named token, the admin token or, in localhost mode without an
 * admin token and an owner, a connection from this machine. Nothing is cached: a role or token ends with the commit that ends it.
 * Thread-safe.
 */
public final class AdminGate {
    private static final Problem DISABLED = Problem.of(
            403, "admin_disabled", "The admin routes are disabled. Set ADMIN_TOKEN or add an owner to enable them.");

    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127(?:\\.\\d{1,3}){3}|\\[?(?:::1|0:0:0:0:0:0:0:1)]?");

    /** Headers that proxies add. Behind a proxy, a loopback address says nothing about the client. */
    private static final List<String> PROXY_HEADERS =
            List.of("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP");

    private final Optional<String> token;
    private final boolean local;
    private final Optional<SessionCookie> cookie;
    private final Operator emergency;
    private final OperatorRoles roles;
    private final ApiTokens tokens;
    private final AuditSubjects subjects;

    /**
     * Creates a gate.
     *
     * @param token the admin token; without one, connections from this machine are accepted in localhost mode until there is an owner
     * @param cookie the cookie of sessions; empty if they do not count, because it belongs to another origin
     * @param emergency the operator with the admin token, or on this machine
     */
    public AdminGate(
            Optional<String> token,
            boolean local,
            Optional<SessionCookie> cookie,
            Operator emergency,
            OperatorRoles roles,
            ApiTokens tokens,
            AuditSubjects subjects) {
        this.token = token;
        this.local = local;
        this.cookie = cookie;
        this.emergency = emergency;
        this.roles = roles;
        this.tokens = tokens;
        this.subjects = subjects;
    }

    /** Whether a request with these headers is refused, whatever else it contains. */
    boolean refuses(@Nullable String authorization, List<String> cookies) {
        if (local && token.isEmpty()) {
            return false;
        }
        String bearer = Callers.bearer(authorization);
        return bearer == null
                ? cookie.map(sessions -> sessions.read(cookies)).isEmpty()
                : !isToken(bearer) && !ApiTokens.isToken(bearer);
    }

    private boolean isToken(String given) {
        return token.isPresent() && MessageDigest.isEqual(bytes(given), bytes(token.get()));
    }

    /** Requires that the admin routes are on for this client. */
    void requireOn(Exchange exchange, Problem otherwise) throws ProblemException {
        boolean on = token.isPresent() || isLocal(exchange) || roles.any() || tokens.any();
        if (!on) {
            throw new ProblemException(otherwise);
        }
    }

    /**
     * Requires an operator who may do this.
     *
     * @param session finds the valid session of a request, or null
     * @param isRecent whether a sign-in is recent enough for the route
     */
    Operator require(
            Exchange exchange,
            Permission permission,
            Function<Exchange, @Nullable Session> session,
            Predicate<Session> isRecent)
            throws ProblemException {
        String given = Callers.bearer(exchange);
        String bearer = isLocal(exchange) && !ApiTokens.isToken(given) ? null : given;
        Session found = cookie.isPresent() && bearer == null ? session.apply(exchange) : null;
        Operator operator = bearer == null ? byPerson(exchange, found) : byToken(bearer);
        if (operator == null) {
            requireOn(exchange, DISABLED);
            if (found != null) {
                throw new ProblemException(OperatorProblem.NO_ROLE);
            }
            exchange.unauthenticated(bearer != null
                    || cookie.filter(sessions -> sessions.isPresent(exchange)).isPresent());
            exchange.responseHeader("WWW-Authenticate", "Bearer");
            throw new ProblemException(OperatorProblem.UNAUTHENTICATED);
        }
        exchange.authenticated("");
        requireMay(operator, permission);
        if (permission == Permission.SUPPORT || permission == Permission.MANAGE) {
            String template = exchange.endpoint().template();
            if (template != null && template.contains("{userId}")) {
                requireMayChange(operator, exchange.pathParameter("userId"));
            }
        }
        if (operator.session() != null && !isRecent.test(operator.session())) {
            throw new ProblemException(Callers.RECENT_LOGIN_REQUIRED);
        }
        return operator.in(exchange.correlationId());
    }

    static void requireMay(Operator operator, Permission permission) throws ProblemException {
        if (!operator.may(permission)) {
            throw new ProblemException(OperatorProblem.INSUFFICIENT_ROLE.withDetail("It needs the role "
                    + permission.roles().stream().sorted().map(Role::code).collect(Collectors.joining(" or "))
                    + "; yours is " + operator.role().code() + '.'));
        }
    }

    private @Nullable Operator byToken(String bearer) {
        if (isToken(bearer)) {
            return emergency;
        }
        ApiTokens.Entry named = tokens.use(bearer);
        return named == null ? null : Operator.of(named);
    }

    private @Nullable Operator byPerson(Exchange exchange, @Nullable Session session) {
        Role role = session == null ? null : roles.of(session.userId());
        if (session != null && role != null) {
            return Operator.of(session, role, subjects);
        }
        return isLocal(exchange) && !roles.anyOwner() ? emergency : null;
    }

    /** Requires an owner to change a user who has a role. Otherwise a link to their account would yield that role. */
    void requireMayChange(Operator operator, String userId) throws ProblemException {
        if (operator.role() != Role.OWNER && roles.of(userId) != null) {
            throw new ProblemException(OperatorProblem.PROTECTED_USER);
        }
    }

    /** Whether an operator who was authenticated before still has this role. */
    boolean isCurrent(Operator operator, Predicate<Session> isOpen) {
        Session session = operator.session();
        ApiTokens.Entry named = operator.token();
        if (session != null) {
            return isOpen.test(session) && roles.of(session.userId()) == operator.role();
        }
        return named != null ? tokens.isValid(named) : token.isPresent() || !roles.anyOwner();
    }

    private boolean isLocal(Exchange exchange) {
        return token.isEmpty() && local && isFromThisMachine(exchange);
    }

    /**
     * Whether both ends of the connection are this machine, with no proxy between. The requested host counts too, against DNS
     * rebinding.
     */
    private static boolean isFromThisMachine(Exchange exchange) {
        return LOOPBACK.matcher(exchange.clientAddress()).matches()
                && LOOPBACK.matcher(exchange.peerAddress()).matches()
                && LOOPBACK.matcher(exchange.serverName()).matches()
                && PROXY_HEADERS.stream().allMatch(header -> exchange.header(header) == null);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
