// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.explain;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.SupportCode;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.history.Capture;
import dev.porchlight.server.history.Capture.Refusal;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.history.ServerOperation;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.operator.explain.Explainer.Explanation;
import dev.porchlight.server.storage.Actor.Target;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.web.Languages;
import java.util.List;
import java.util.Objects;

/**
 * Explains the result of each verification step to operators: {@code POST /console/api/explain}, for an authenticator response
 * in the request or one that any instance refused. The response itself is never returned.
 */
public final class ExplainRoutes {
    private static final Problem NOT_KEPT = new Problem(
            404,
            "response_not_kept",
            "There is no refused response with this code.",
            "It was not refused, was refused more than a day ago, was too large to keep, or was replaced by later ones.");

    private final PasskeyService passkeys;
    private final Explainer explainer;
    private final CeremonyHistory history;
    private final Sql sql;
    private final Units units;

    public ExplainRoutes(PasskeyService passkeys, Explainer explainer, CeremonyHistory history, Sql sql, Units units) {
        this.passkeys = passkeys;
        this.explainer = explainer;
        this.history = history;
        this.sql = sql;
        this.units = units;
    }

    public void mount(Router.Builder router) {
        router.post("/console/api/explain", Access.CONSOLE_SUPPORT, this::explain);
    }

    private Response explain(Exchange exchange, Operator operator) throws Exception {
        JsonObject body = exchange.jsonObject();
        String code = body.optionalText("code");
        if (code != null && body.optionalText("response") != null) {
            throw body.malformed("code", "give either a code or a response, not both");
        }
        return code == null ? received(exchange, operator, body) : refused(exchange, operator, code);
    }

    private Response received(Exchange exchange, Operator operator, JsonObject body) throws MalformedException {
        String userId = body.optionalText("userId");
        if (userId != null) {
            passkeys.user(userId); // refuses an invalid id
        }
        return explain(
                exchange, operator, Capture.of(body.text("response"), body.optionalText("options"), userId), List.of());
    }

    private Response refused(Exchange exchange, Operator operator, String code) throws ProblemException {
        List<Capture> found = history.findResponses(code);
        if (found.isEmpty()) {
            throw new ProblemException(NOT_KEPT);
        }
        return explain(exchange, operator, found.get(0), found);
    }

    /** Audited, because an operator sees what a user sent. */
    private Response explain(Exchange exchange, Operator operator, Capture capture, List<Capture> found) {
        Explanation explanation = explainer.explain(capture);
        String named = capture.userId();
        String userId = named == null ? Capture.holder(sql, capture.response()) : named;
        String language = Languages.SHIPPED.of(exchange).tag();
        var unused = units.commit(
                "explain a response",
                operator,
                Target.NONE,
                connection -> true,
                done -> AuditEvent.of(AuditAction.RESPONSE_EXPLAINED, userId == null ? "" : userId));
        return Response.json(200, json -> {
            explanation.write(json, language);
            Refusal refusal = capture.refusal();
            if (refusal != null) {
                json.object("refusal", then -> write(then, refusal))
                        .texts(
                                "others",
                                found.stream()
                                        .skip(1)
                                        .map(Capture::refusal)
                                        .filter(Objects::nonNull)
                                        .map(Refusal::traceId)
                                        .toList());
            }
        });
    }

    private static void write(JsonWriter json, Refusal refusal) {
        ServerOperation operation = refusal.operation();
        json.text("supportCode", SupportCode.of(refusal.traceId()))
                .text("traceId", refusal.traceId())
                .text("correlationId", operation.request().correlationId())
                .number("at", operation.request().at())
                .text("step", refusal.result().step().code())
                .text("user", operation.user());
    }
}
