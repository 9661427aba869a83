// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.trace.Attributes;
import dev.porchlight.observe.trace.SpanStatus;
import dev.porchlight.observe.trace.Tracer;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.StepResult;

/** Creates a span for each ceremony operation, current while it runs, with the transcript of a refusal. Thread-safe. */
final class CeremonySpans implements CeremonyTelemetry.ContextListener {
    private final Tracer tracer;

    CeremonySpans(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    public void started(Operation operation, CeremonyContext context) {
        context.span = tracer.start("passkey " + operation.code(), Attributes.none());
        context.scope = context.span.makeCurrent();
    }

    @Override
    public void signatureVerified(long nanos) {
        tracer.record("verify signature", Attributes.of("crypto.algorithm", "ES256"), nanos);
    }

    @Override
    public void finished(Operation operation, CeremonyContext context) {
        if (context.scope != null) {
            context.scope.close();
        }
        context.span.set("passkey.operation", operation.code()).set("passkey.outcome", context.result);
        if (!context.reason.isEmpty()) {
            context.span.set("passkey.refused_at", context.reason);
            addTranscript(context);
        }
        if (context.failure != null) {
            context.span.status(SpanStatus.ERROR).end(context.failure);
        } else {
            context.span.end();
        }
    }

    /** Adds an event for each step, named after its check. A success has none, because all steps passed. */
    private static void addTranscript(CeremonyContext context) {
        if (context.span.recording()) {
            for (StepResult step : context.steps) {
                context.span.event(step.step().label(), Attributes.of("passed", step.passed(), "nanos", step.nanos()));
            }
        }
    }
}
