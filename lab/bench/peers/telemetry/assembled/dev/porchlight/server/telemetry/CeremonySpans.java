// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.trace.Tracer;
import dev.porchlight.passkey.Operation;
import dev.porchlight.server.http.Stack;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The service's spans, recorded with the OpenTelemetry SDK. */
final class CeremonySpans implements CeremonyTelemetry.ContextListener {
    private static final ThreadLocal<@Nullable Scope> SCOPE = new ThreadLocal<>();

    CeremonySpans(Tracer tracer) {}

    @Override
    public void started(Operation operation, CeremonyContext context) {
        SCOPE.set(Stack.TRACER
                .spanBuilder("passkey " + operation.code())
                .startSpan()
                .makeCurrent());
    }

    @Override
    public void signatureVerified(long nanos) {
        Stack.TRACER
                .spanBuilder("verify signature")
                .setAttribute("crypto.algorithm", "ES256")
                .setStartTimestamp(Instant.now().minusNanos(nanos))
                .startSpan()
                .end();
    }

    @Override
    public void finished(Operation operation, CeremonyContext context) {
        Span span = Span.current();
        Scope scope = SCOPE.get();
        SCOPE.remove();
        if (scope != null) {
            scope.close();
        }
        span.setAttribute("passkey.operation", operation.code());
        span.setAttribute("passkey.outcome", context.result);
        if (!context.reason.isEmpty()) {
            span.setAttribute("passkey.refused_at", context.reason);
        }
        if (context.failure != null) {
            span.setStatus(StatusCode.ERROR).recordException(context.failure);
        }
        span.end();
    }
}
