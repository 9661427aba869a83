// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.auth.Enrolments;
import dev.porchlight.server.http.Answer;
import dev.porchlight.server.http.Cost;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.storage.TakenNames;

/**
 * What an application's backend, a help desk or an operator may do: {@code POST /admin/enrollments}, and
 * {@code GET /admin/request}, by which the doctor learns what proxies make of a request.
 */
final class AdminRoutes {
    private final Enrolments enrolments;
    private final Sql sql;
    private final AuditLog audit;
    private final AdminGate gate;
    private final String origin;

    AdminRoutes(Enrolments enrolments, Sql sql, AuditLog audit, AdminGate gate, String origin) {
        this.enrolments = enrolments;
        this.sql = sql;
        this.audit = audit;
        this.gate = gate;
        this.origin = origin;
    }

    void mount(Router.Builder router) {
        router.post("/admin/enrollments", Cost.OPERATOR, gate.guard(this::enrol));
        router.get("/admin/request", Cost.OPERATOR, gate.guard(this::seen));
    }

    private Answer enrol(Exchange exchange) throws Exception {
        String userId = UserIdCheck.require(JsonBody.object(exchange).text("userId"));
        // Reserved, so that no stranger signs up under it before the user comes.
        String holder = TakenNames.reserve(sql, userId);
        if (holder != null) {
            throw new ProblemException(SignupRoutes.EXISTS.withDetail("The name is taken by the user " + holder));
        }
        var issued = enrolments.forAnyUser(userId);
        audit.append(AuditEvent.of("enrolment_issued", userId, exchange.correlationId()));
        return Answer.json(
                201,
                JsonWriter.object(json -> json.text("token", issued.token())
                        // In the fragment, which browsers send to nobody.
                        .text("url", origin + "/#enrol=" + issued.token())
                        .number("expiresAt", issued.expiresAt())));
    }

    private Answer seen(Exchange exchange) {
        return Answer.json(
                200,
                JsonWriter.object(json -> json.text("scheme", exchange.scheme())
                        .text("host", exchange.serverName())
                        .text("client", exchange.clientAddress())
                        .text("peer", exchange.peerAddress())
                        .text("httpVersion", exchange.protocolVersion())));
    }
}
