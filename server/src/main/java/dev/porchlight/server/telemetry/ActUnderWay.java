// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.trace.Scope;
import dev.porchlight.observe.trace.Span;
import dev.porchlight.passkey.Act;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.server.console.CeremonyEvent.StepResult;
import dev.porchlight.server.explain.Capture;
import dev.porchlight.server.explain.Refusal;
import dev.porchlight.server.explain.RefusedResponses;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.limit.ClientAddresses;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An act of a ceremony while it lasts, with what is known of the request it belongs to. For one thread. */
final class ActUnderWay {
    private static final int STEPS_AT_MOST = 24;

    final Logger logger;
    final String correlationId;
    final RequestTrace trace;
    final boolean synthetic;
    final String address;
    final @Nullable String response;
    final List<StepResult> steps = new ArrayList<>(STEPS_AT_MOST);
    Span span = Span.none();

    @Nullable
    Scope scope;

    String detail = "";

    /** The code of the step that was flagged although the act succeeded, or empty. */
    String flagged = "";

    ActUnderWay(Exchange exchange, @Nullable String response) {
        this.logger = exchange.logger();
        this.correlationId = exchange.correlationId();
        this.trace = RequestTrace.of(exchange);
        this.synthetic = exchange.synthetic();
        this.address = ClientAddresses.limitKey(exchange.clientAddress());
        this.response = response;
    }

    /** What is kept of it once it was refused; nothing if the browser's answer is not known. */
    RefusedResponses.@Nullable Kept kept(Act act, Step refused, @Nullable String userId, Instant now) {
        if (response == null) {
            return null;
        }
        Set<Step> passed = EnumSet.noneOf(Step.class);
        steps.stream().filter(StepResult::passed).map(StepResult::step).forEach(passed::add);
        var refusal = new Refusal(act == Act.FINISH_REGISTRATION, now, refused, detail, passed);
        return new RefusedResponses.Kept(trace.id(), correlationId, new Capture(response, null, userId, refusal));
    }
}
