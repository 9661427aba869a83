// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.protocol;

import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.observe.metrics.Counter;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.history.BrowserOutcome;
import dev.porchlight.server.history.CeremonyEvent.ClientRefusal;
import dev.porchlight.server.history.CeremonyEvent.Request;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.telemetry.RequestTrace;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Set;

/**
 * Reports requests of clients: one metric, and for refusals a log line, span attributes and an entry in the console. A refusal
 * has an audit row only if strangers cannot cause it: there is a signed-in user, or a genuine code or token. Thread-safe.
 */
public final class OpenIdTelemetry {
    /** An endpoint of the protocol. */
    public enum Endpoint {
        AUTHORIZE(AuditAction.CLIENT_AUTHORIZE),
        TOKEN(AuditAction.CLIENT_TOKEN),
        USERINFO(AuditAction.CLIENT_USERINFO),
        REVOKE(AuditAction.CLIENT_REVOKE),
        LOGOUT(AuditAction.CLIENT_LOGOUT),
        PAR(AuditAction.CLIENT_PAR);

        private final String label = name().toLowerCase(Locale.ROOT);
        private final AuditAction action;

        Endpoint(AuditAction action) {
            this.action = action;
        }
    }

    /** Refusals of genuine codes and tokens. */
    private static final Set<Reason> OF_GENUINE_TOKENS = Set.of(
            Reason.REPLAYED_CODE,
            Reason.REUSED_REFRESH_TOKEN,
            Reason.CODE_CLIENT_MISMATCH,
            Reason.CODE_REDIRECT_MISMATCH,
            Reason.PKCE_MISMATCH,
            Reason.ACCESS_ENDED,
            Reason.LEFT_GROUP);

    private final Counter requests;
    private final AuditLog audit;
    private final Pseudonyms pseudonyms;
    private final CeremonyHistory history;
    private final InstantSource clock;

    public OpenIdTelemetry(
            MetricRegistry metrics,
            AuditLog audit,
            Pseudonyms pseudonyms,
            CeremonyHistory history,
            InstantSource clock) {
        this.requests = metrics.counter("openid_requests_total")
                .help("Requests of OpenID Connect clients, by endpoint and result.")
                .labels("endpoint", "result")
                .register();
        this.audit = audit;
        this.pseudonyms = pseudonyms;
        this.history = history;
        this.clock = clock;
    }

    public void succeeded(Exchange exchange, Endpoint endpoint, String clientId) {
        requests.with(endpoint.label, "ok").inc();
        exchange.span().set("openid.client_id", clientId);
    }

    /** Reports a request of a client that failed before the protocol could decide, such as by a rate limit. */
    public void failed(Exchange exchange, Endpoint endpoint, String clientId, Problem problem) {
        requests.with(endpoint.label, problem.code()).inc();
        exchange.span().set("openid.client_id", Refusal.cut(clientId)).set("openid.refusal", problem.code());
    }

    /**
     * Reports a request of a browser that failed because the service is unavailable. The person gets a page.
     *
     * @return the support code
     */
    public String unavailable(Exchange exchange, Endpoint endpoint, String claimedId, Problem problem) {
        String clientId = Refusal.cut(claimedId);
        failed(exchange, endpoint, clientId, problem);
        RequestTrace trace = RequestTrace.of(exchange);
        history.add(
                trace.id(),
                new ClientRefusal(
                        request(exchange, trace, clock),
                        endpoint.label,
                        clientId,
                        BrowserOutcome.UNAVAILABLE.code(),
                        problem.error(),
                        "",
                        "",
                        "",
                        ""),
                trace.address());
        return trace.supportCode();
    }

    /**
     * Reports a refusal.
     *
     * @param claimedId the client's id as the request has it; it may be unknown
     * @param userId the user it concerns, or empty
     * @return the support code
     */
    public String refused(Exchange exchange, Endpoint endpoint, String claimedId, String userId, Refusal refusal) {
        String code = refusal.reason().code();
        String clientId = Refusal.cut(claimedId);
        requests.with(endpoint.label, code).inc();
        exchange.span().set("openid.client_id", clientId).set("openid.refusal", code);
        exchange.logger()
                .warn(
                        "refused a request of an OpenID Connect client",
                        new Fields()
                                .put("endpoint", endpoint.label)
                                .put("client", clientId)
                                .put("reason", code)
                                .put("parameter", refusal.parameter())
                                .put("expected", refusal.expected())
                                .put("found", refusal.found())
                                .put("user", userId.isEmpty() ? null : pseudonyms.of(userId)));
        RequestTrace trace = RequestTrace.of(exchange);
        if (!refusal.reason().isRoutine()) {
            history.add(
                    trace.id(),
                    new ClientRefusal(
                            request(exchange, trace, clock),
                            endpoint.label,
                            clientId,
                            code,
                            refusal.reason().sentence(),
                            refusal.parameter(),
                            refusal.expected(),
                            refusal.found(),
                            userId),
                    trace.address());
        }
        boolean byUser = !userId.isEmpty() && !refusal.reason().isRoutine();
        if (byUser || OF_GENUINE_TOKENS.contains(refusal.reason())) {
            audit.append(AuditEvent.refused(endpoint.action, userId, code, exchange.correlationId())
                    .withClient(clientId));
        }
        return trace.supportCode();
    }

    private static Request request(Exchange exchange, RequestTrace trace, InstantSource clock) {
        return new Request(clock.millis(), exchange.correlationId(), trace.claimed());
    }
}
