// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.data.JsonWriter;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.auth.Enrolments;
import dev.porchlight.server.http.Answer;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Router;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What an application's backend, a help desk or an operator may do: {@code POST /admin/enrollments}, and
 * {@code GET /admin/request}, by which the doctor learns what proxies make of a request.
 */
final class AdminRoutes {
    private static final Problem DISABLED =
            Problem.of(403, "admin_disabled", "The admin routes are off: set ADMIN_TOKEN");
    private static final Problem UNAUTHENTICATED = Problem.of(401, "unauthenticated", "This needs the admin token");

    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127(?:\\.\\d{1,3}){3}|\\[?(?:::1|0:0:0:0:0:0:0:1)]?");

    private final PasskeyService passkeys;
    private final Enrolments enrolments;
    private final AuditLog audit;
    private final Optional<String> token;
    private final String origin;
    private final boolean local;

    /** Without a token, the routes answer only this machine, and only if the service is a local one. */
    AdminRoutes(
            PasskeyService passkeys,
            Enrolments enrolments,
            AuditLog audit,
            Optional<String> token,
            String origin,
            boolean local) {
        this.passkeys = passkeys;
        this.enrolments = enrolments;
        this.audit = audit;
        this.token = token;
        this.origin = origin;
        this.local = local;
    }

    void mount(Router.Builder router) {
        router.post("/admin/enrollments", this::enrol);
        router.get("/admin/request", this::seen);
    }

    private Answer enrol(Exchange exchange) throws Exception {
        requireAdmin(exchange);
        String userId = JsonBody.object(exchange).text("userId");
        passkeys.user(userId); // refuses an id that no user can have
        var issued = enrolments.forAnyUser(userId);
        audit.append(AuditEvent.of("enrolment_issued", userId, exchange.correlationId()));
        return Answer.json(
                201,
                JsonWriter.object(json -> json.text("token", issued.token())
                        // In the fragment, which browsers send to nobody.
                        .text("url", origin + "/#enrol=" + issued.token())
                        .number("expiresAt", issued.expiresAt())));
    }

    private Answer seen(Exchange exchange) throws ProblemException {
        requireAdmin(exchange);
        return Answer.json(
                200,
                JsonWriter.object(json -> json.text("scheme", exchange.scheme())
                        .text("host", exchange.serverName())
                        .text("client", exchange.clientAddress())
                        .text("peer", exchange.peerAddress())
                        .text("httpVersion", exchange.protocolVersion())));
    }

    private void requireAdmin(Exchange exchange) throws ProblemException {
        if (token.isEmpty()) {
            if (!local || !isFromThisMachine(exchange)) {
                throw new ProblemException(DISABLED);
            }
            return;
        }
        String given = Callers.bearer(exchange);
        if (given == null || !MessageDigest.isEqual(bytes(given), bytes(token.get()))) {
            exchange.responseHeader("WWW-Authenticate", "Bearer");
            throw new ProblemException(UNAUTHENTICATED);
        }
    }

    /**
     * Whether both ends of the connection are this machine and no proxy stands between. The name that was asked for counts
     * too: a page of a stranger whose name was made to mean this machine does not get in.
     */
    private static boolean isFromThisMachine(Exchange exchange) {
        return LOOPBACK.matcher(exchange.clientAddress()).matches()
                && LOOPBACK.matcher(exchange.peerAddress()).matches()
                && LOOPBACK.matcher(exchange.serverName()).matches()
                && exchange.header("X-Forwarded-For") == null
                && exchange.header("Forwarded") == null;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
