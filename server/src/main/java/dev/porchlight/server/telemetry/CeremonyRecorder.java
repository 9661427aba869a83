// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.passkey.Operation;
import dev.porchlight.server.history.Capture;
import dev.porchlight.server.history.Capture.Refusal;
import dev.porchlight.server.history.CeremonyEvent.ServerOperation;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.history.RefusedResponses;
import dev.porchlight.server.history.RefusedResponses.RefusedResponse;
import dev.porchlight.server.history.SharedRefusals;
import java.time.Instant;
import java.time.InstantSource;

/** Records ceremony operations for the console: in its history and, if a step refused, with the response. Thread-safe. */
final class CeremonyRecorder implements CeremonyTelemetry.ContextListener {
    private final CeremonyHistory history;
    private final RefusedResponses responses;
    private final SharedRefusals refusals;
    private final InstantSource clock;

    CeremonyRecorder(
            CeremonyHistory history, RefusedResponses responses, SharedRefusals refusals, InstantSource clock) {
        this.history = history;
        this.responses = responses;
        this.refusals = refusals;
        this.clock = clock;
    }

    @Override
    public void finished(Operation operation, CeremonyContext context) {
        String user = context.userId == null ? "" : context.userId;
        Instant now = clock.instant();
        history.add(
                context.trace.id(),
                new ServerOperation(
                        operation,
                        now.toEpochMilli(),
                        context.nanos,
                        context.result,
                        context.reason,
                        context.detail,
                        context.correlationId,
                        user,
                        context.credential,
                        context.steps,
                        context.trace.claimed()));
        // The response of a failed operation is not kept: its challenge may still be valid.
        boolean stepRefused = !context.steps.isEmpty()
                && !context.steps.get(context.steps.size() - 1).passed();
        if (context.response != null && stepRefused) {
            var refusal = new Refusal(operation == Operation.FINISH_REGISTRATION, now, context.steps);
            var capture = new Capture(context.response, null, context.userId, refusal);
            responses.keep(new RefusedResponse(context.trace.id(), context.correlationId, capture), context.address);
        }
        if (operation.finishes() && !context.result.equals("ok")) {
            refusals.add(context.trace.id(), context.address);
        }
    }
}
