// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import static net.logstash.logback.argument.StructuredArguments.keyValue;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.passkey.Act;
import dev.porchlight.passkey.CeremonyListener;
import dev.porchlight.passkey.Phase;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.passkey.verify.VerifiedAssertion;
import dev.porchlight.server.console.CeremonyHistory;
import dev.porchlight.server.explain.RefusedResponses;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Stack;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The same timer, span, events and log line an act as the service's own, by Micrometer, OpenTelemetry and logback. */
public final class CeremonyTelemetry implements CeremonyListener {
    private static final AttributeKey<Boolean> PASSED = AttributeKey.booleanKey("passed");
    private static final AttributeKey<Long> NANOS = AttributeKey.longKey("nanos");
    private static final ThreadLocal<@Nullable Scope> SCOPE = new ThreadLocal<>();

    private final Records records;
    private final Pseudonyms pseudonyms;

    public CeremonyTelemetry(
            Observability observe,
            Pseudonyms pseudonyms,
            CeremonyHistory history,
            RefusedResponses responses,
            InstantSource clock) {
        records = new Records(history, clock);
        this.pseudonyms = pseudonyms;
    }

    /** Refused responses are not kept: logins that pass are measured. */
    public <T extends @Nullable Object> T of(Exchange exchange, @Nullable String response, Supplier<T> work) {
        return of(exchange, work);
    }

    public <T extends @Nullable Object> T of(Exchange exchange, Supplier<T> work) {
        records.begin(exchange);
        try {
            return work.get();
        } finally {
            records.end();
        }
    }

    @Override
    public void begun(Act act) {
        SCOPE.set(Stack.TRACER
                .spanBuilder("passkey " + Records.word(act))
                .startSpan()
                .makeCurrent());
    }

    @Override
    public void passed(Act act, Step step, long nanos) {
        records.step(step, true, nanos);
    }

    @Override
    public void refused(Act act, Step step, String detail, long nanos) {
        records.step(step, false, nanos);
        Span.current().addEvent(step.code(), Attributes.of(PASSED, false, NANOS, nanos));
    }

    @Override
    public void spent(Act act, Phase phase, long nanos) {
        if (phase == Phase.SIGNATURE) {
            Stack.TRACER
                    .spanBuilder("verify signature")
                    .setAttribute("crypto.algorithm", "ES256")
                    .setStartTimestamp(Instant.now().minusNanos(nanos))
                    .startSpan()
                    .end();
        }
    }

    @Override
    public void signCountRegressed(VerifiedAssertion assertion) {}

    @Override
    public void becameBackupEligible(VerifiedAssertion assertion) {}

    @Override
    public void finished(Act act, Outcome outcome, long nanos) {
        String result = Records.result(outcome);
        String reason = Records.reason(outcome);
        Stack.record(
                "passkey.ceremonies", nanos, "ceremony", Records.word(act), "outcome", result, "reason", reason);
        Span span = Span.current();
        Scope scope = SCOPE.get();
        SCOPE.remove();
        if (scope != null) {
            scope.close();
        }
        span.setAttribute("passkey.act", Records.word(act));
        span.setAttribute("passkey.outcome", result);
        if (!reason.isEmpty()) {
            span.setAttribute("passkey.refused_at", reason);
        }
        if (outcome.failure() != null) {
            span.setStatus(StatusCode.ERROR).recordException(outcome.failure());
        }
        span.end();
        if (act == Act.FINISH_AUTHENTICATION || act == Act.FINISH_REGISTRATION) {
            log(act, outcome, result, reason, nanos, span.getSpanContext());
        }
        records.finished(act, outcome, nanos);
    }

    private void log(Act act, Outcome outcome, String result, String reason, long nanos, SpanContext span) {
        Stack.LOG.info(
                Records.word(act) + ' ' + result,
                keyValue("trace_id", span.getTraceId()),
                keyValue("span_id", span.getSpanId()),
                keyValue("ceremony", Records.word(act)),
                keyValue("outcome", result),
                keyValue("reason", reason),
                keyValue("user", outcome.userId() == null ? "" : pseudonyms.of(outcome.userId())),
                keyValue("credential", CredentialIdPrefix.of(outcome.credentialId())),
                keyValue("support_code", records.supportCode()),
                keyValue("durationMs", nanos / 1e6));
    }
}
