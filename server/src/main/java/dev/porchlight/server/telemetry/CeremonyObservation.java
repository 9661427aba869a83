// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.base.DisplayText;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.trace.Attributes;
import dev.porchlight.observe.trace.Scope;
import dev.porchlight.observe.trace.Span;
import dev.porchlight.observe.trace.SpanStatus;
import dev.porchlight.passkey.CeremonyListener;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import dev.porchlight.passkey.VerifiedAssertion;
import dev.porchlight.server.history.CeremonyEvent.Request;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.history.ServerOperation;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.limit.OncePerSecond;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Observes one ceremony operation: a span that is current while it runs, then its metrics, history and log line. Confined to one thread. */
final class CeremonyObservation implements CeremonyListener {
    private static final int MAX_STEPS = 26;

    private final CeremonyTelemetry telemetry;
    private final Exchange exchange;
    private final @Nullable String response;
    private final String kind;
    private final RequestTrace trace;
    private final List<StepResult> steps = new ArrayList<>(MAX_STEPS);
    private Span span = Span.none();
    private @Nullable Scope scope;

    /** The code of the step that was flagged although the operation succeeded, or empty. */
    private String flagged = "";

    /** Why the operation was refused, flagged or failed, or empty. */
    private String detail = "";

    CeremonyObservation(CeremonyTelemetry telemetry, Exchange exchange, @Nullable String response, String kind) {
        this.telemetry = telemetry;
        this.exchange = exchange;
        this.response = response;
        this.kind = kind;
        this.trace = RequestTrace.of(exchange);
    }

    @Override
    public void started(Operation operation) {
        span = telemetry.tracer.start("passkey " + operation.code(), Attributes.none());
        scope = span.makeCurrent();
    }

    @Override
    public void checked(Operation operation, StepResult step) {
        steps.add(step);
    }

    @Override
    public void signatureVerified(Operation operation, CredentialAlgorithm algorithm, long nanos) {
        telemetry.tracer.record("verify signature", Attributes.of("crypto.algorithm", algorithm.label()), nanos);
    }

    @Override
    public void signCountRegressed(VerifiedAssertion assertion) {
        flagged = Step.SIGN_COUNT.code();
        detail = "count " + assertion.signCount() + " after "
                + assertion.credential().signCount();
        telemetry.suspicions.with(flagged).inc();
    }

    @Override
    public void authenticatorSuspected(VerifiedAssertion assertion, String reason) {
        flagged = Step.AUTHENTICATOR_ALLOWED.code();
        detail = reason;
        telemetry.suspicions.with(flagged).inc();
    }

    @Override
    public void becameBackupEligible(VerifiedAssertion assertion) {
        telemetry.suspicions.with(CeremonyTelemetry.BECAME_BACKUP_ELIGIBLE).inc();
    }

    @Override
    public void backupStateChanged(VerifiedAssertion assertion) {
        telemetry
                .backupChanges
                .with(assertion.backedUp() ? "synced" : "not_synced")
                .inc();
    }

    @Override
    public void finished(Operation operation, Outcome outcome, long took) {
        if (outcome.refusal() != null) {
            detail = outcome.refusal().detail();
        } else if (outcome.failure() != null) {
            detail = outcome.failure().toString();
        }
        endSpan(outcome);
        telemetry
                .operations
                .with(operation.code(), outcome.code(), reason(outcome))
                .inc();
        telemetry.durations.with(operation.code(), outcome.code()).record(took);
        String credential = outcome.credentialId() == null ? "" : DisplayText.prefix(outcome.credentialId());
        addToHistory(operation, outcome, credential, took);
        if (!steps.isEmpty() && exchange.logger().isEnabled(Level.DEBUG)) {
            logSteps(operation);
        }
        if (operation.finishes()) {
            log(operation, outcome, credential, took);
        }
    }

    private void logSteps(Operation operation) {
        List<String> checked = new ArrayList<>(steps.size());
        for (StepResult step : steps) {
            checked.add(step.step().label() + (step.passed() ? "" : " refused") + ", " + step.nanos() / 1_000 + " µs");
        }
        exchange.logger().debug(operation.code() + " steps", Fields.of("steps", checked));
    }

    private String reason(Outcome outcome) {
        boolean succeeded = outcome.refusal() == null && outcome.failure() == null;
        return succeeded && outcome.reason().isEmpty() ? kind : outcome.reason();
    }

    private void endSpan(Outcome outcome) {
        if (scope != null) {
            scope.close();
        }
        span.set("passkey.outcome", outcome.code());
        if (!outcome.reason().isEmpty()) {
            span.set("passkey.refused_at", outcome.reason());
            addTranscript();
        }
        if (outcome.failure() != null) {
            span.status(SpanStatus.ERROR).end(outcome.failure());
        } else {
            span.end();
        }
    }

    /** Adds an event for each step, named after its check. A success has none, because all steps passed. */
    private void addTranscript() {
        if (span.recording()) {
            for (StepResult step : steps) {
                span.event(step.step().label(), Attributes.of("passed", step.passed(), "nanos", step.nanos()));
            }
        }
    }

    private void addToHistory(Operation operation, Outcome outcome, String credential, long took) {
        // The response of a failed operation is not kept: its challenge may still be valid.
        boolean stepRefused = !steps.isEmpty() && !steps.get(steps.size() - 1).passed();
        String refused = stepRefused && response != null ? response : "";
        boolean kept = !refused.isEmpty() && refused.length() <= CeremonyHistory.MAX_RESPONSE_CHARS;
        telemetry.history.add(
                trace.id(),
                new ServerOperation(
                        new Request(telemetry.clock.millis(), exchange.correlationId(), trace.claimed()),
                        operation,
                        took,
                        outcome.code(),
                        reason(outcome),
                        detail,
                        outcome.userId() == null ? "" : outcome.userId(),
                        credential,
                        steps,
                        kept),
                kept ? refused : "",
                trace.address());
    }

    private void log(Operation operation, Outcome outcome, String credential, long took) {
        String message = operation.code() + ' ' + outcome.code();
        String reason = outcome.reason().isEmpty() ? flagged : outcome.reason();
        Fields fields = new Fields()
                .put("ceremony", operation.code())
                .put("outcome", outcome.code())
                .put("user", outcome.userId() == null ? null : telemetry.pseudonyms.of(outcome.userId()))
                .put("credential", credential)
                .put("support_code", trace.supportCode())
                .put("support_code_claimed", trace.claimed() ? true : null)
                .put("durationMs", took / 1e6);
        if (!reason.isEmpty()) {
            fields.put("reason", reason).put("detail", detail);
        }
        if (outcome.failure() != null) {
            // Every ceremony fails while the storage is down.
            long others = telemetry.failures.pass("");
            if (others != OncePerSecond.HELD_BACK) {
                exchange.logger().warn(message, fields.put("notLogged", others));
            }
        } else if (reason.isEmpty()) {
            exchange.logger().info(message, fields);
        } else {
            exchange.logger().warn(message, fields);
        }
    }
}
