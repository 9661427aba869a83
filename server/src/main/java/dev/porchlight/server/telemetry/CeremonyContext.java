// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.base.DisplayText;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.trace.Scope;
import dev.porchlight.observe.trace.Span;
import dev.porchlight.passkey.CeremonyListener;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.OperationPhase;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import dev.porchlight.passkey.VerifiedAssertion;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.limit.ClientAddresses;
import dev.porchlight.server.telemetry.CeremonyTelemetry.ContextListener;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The context of one ceremony operation: its request, transcript and outcome. Forwards events to the listeners. Confined to
 * one thread.
 */
final class CeremonyContext implements CeremonyListener {
    private static final int MAX_STEPS = 26;

    final Logger logger;
    final String correlationId;
    final RequestTrace trace;
    final String address;
    final @Nullable String response;
    final List<StepResult> steps = new ArrayList<>(MAX_STEPS);
    private final List<ContextListener> listeners;
    Span span = Span.none();

    @Nullable
    Scope scope;

    /** The code of the step that was flagged although the operation succeeded, or empty. */
    String flagged = "";

    /** Why the operation was refused, flagged or failed, or empty. */
    String detail = "";

    @Nullable
    String userId;

    @Nullable
    Throwable failure;

    /** {@code ok}, {@code refused} or {@code failed}. */
    String result = "";

    /** The code of the refusal, or empty. */
    String reason = "";

    /** The first characters of the presented passkey's id, or empty. */
    String credential = "";

    long nanos;

    CeremonyContext(Exchange exchange, @Nullable String response, List<ContextListener> listeners) {
        this.logger = exchange.logger();
        this.correlationId = exchange.correlationId();
        this.trace = RequestTrace.of(exchange);
        this.address = ClientAddresses.limitKey(exchange.clientAddress());
        this.response = response;
        this.listeners = listeners;
    }

    @Override
    public void started(Operation operation) {
        listeners.forEach(listener -> listener.started(operation, this));
    }

    @Override
    public void checked(Operation operation, StepResult step) {
        steps.add(step);
    }

    @Override
    public void spent(Operation operation, OperationPhase phase, long spent) {
        if (phase == OperationPhase.SIGNATURE) {
            listeners.forEach(listener -> listener.signatureVerified(spent));
        }
    }

    @Override
    public void signCountRegressed(VerifiedAssertion assertion) {
        flagged = Step.SIGN_COUNT.code();
        detail = "count " + assertion.signCount() + " after "
                + assertion.credential().signCount();
        listeners.forEach(listener -> listener.suspicious(flagged));
    }

    @Override
    public void becameBackupEligible(VerifiedAssertion assertion) {
        listeners.forEach(listener -> listener.suspicious(CeremonyTelemetry.BECAME_BACKUP_ELIGIBLE));
    }

    @Override
    public void finished(Operation operation, Outcome outcome, long took) {
        userId = outcome.userId();
        failure = outcome.failure();
        credential = outcome.credentialId() == null ? "" : DisplayText.prefix(outcome.credentialId());
        nanos = took;
        result = outcome.code();
        reason = outcome.reason();
        if (outcome.refusal() != null) {
            detail = outcome.refusal().detail();
        } else if (failure != null) {
            detail = failure.toString();
        }
        listeners.forEach(listener -> listener.finished(operation, this));
    }
}
