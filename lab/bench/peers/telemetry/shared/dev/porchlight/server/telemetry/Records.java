// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.passkey.Act;
import dev.porchlight.passkey.CeremonyListener.Outcome;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.server.console.CeremonyEvent.ServerAct;
import dev.porchlight.server.console.CeremonyEvent.StepResult;
import dev.porchlight.server.console.CeremonyHistory;
import dev.porchlight.server.http.Exchange;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the service keeps of a ceremony whatever becomes of its telemetry: the console's history. */
final class Records {
    private static final ThreadLocal<@Nullable Request> CURRENT = new ThreadLocal<>();

    private final CeremonyHistory history;
    private final InstantSource clock;

    private record Request(RequestTrace trace, String correlationId, List<StepResult> steps) {}

    Records(CeremonyHistory history, InstantSource clock) {
        this.history = history;
        this.clock = clock;
    }

    void begin(Exchange exchange) {
        CURRENT.set(new Request(RequestTrace.of(exchange), exchange.correlationId(), new ArrayList<>(24)));
    }

    void end() {
        CURRENT.remove();
    }

    void step(Step step, boolean passed, long nanos) {
        Request request = CURRENT.get();
        if (request != null) {
            request.steps.add(new StepResult(step, passed, nanos));
        }
    }

    String supportCode() {
        Request request = CURRENT.get();
        return request == null ? "" : request.trace.supportCode();
    }

    void finished(Act act, Outcome outcome, long nanos) {
        Request request = CURRENT.get();
        if (request == null) {
            return;
        }
        boolean finish = act == Act.FINISH_AUTHENTICATION || act == Act.FINISH_REGISTRATION;
        String user = outcome.userId() == null ? "" : outcome.userId();
        history.add(
                request.trace.id(),
                new ServerAct(
                        word(act),
                        finish,
                        clock.millis(),
                        nanos,
                        result(outcome),
                        outcome.refused(),
                        "",
                        request.correlationId,
                        user,
                        CredentialIdPrefix.of(outcome.credentialId()),
                        request.steps,
                        request.trace.claimed()));
    }

    static String result(Outcome outcome) {
        return outcome.good() ? "ok" : outcome.refused() != null ? "refused" : "failed";
    }

    static String reason(Outcome outcome) {
        return outcome.refused() == null ? "" : outcome.refused().code();
    }

    static String word(Act act) {
        return switch (act) {
            case START_REGISTRATION -> "registration_options";
            case FINISH_REGISTRATION -> "registration";
            case START_AUTHENTICATION -> "login_options";
            case FINISH_AUTHENTICATION -> "login";
        };
    }
}
