// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.observe.metrics.Counter;
import dev.porchlight.observe.metrics.Histogram;
import dev.porchlight.observe.trace.Attributes;
import dev.porchlight.observe.trace.SpanStatus;
import dev.porchlight.observe.trace.Tracer;
import dev.porchlight.passkey.Act;
import dev.porchlight.passkey.CeremonyListener;
import dev.porchlight.passkey.Phase;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.passkey.verify.VerifiedAssertion;
import dev.porchlight.server.auth.CanaryUser;
import dev.porchlight.server.console.CeremonyEvent.ServerAct;
import dev.porchlight.server.console.CeremonyEvent.StepResult;
import dev.porchlight.server.console.CeremonyHistory;
import dev.porchlight.server.explain.RefusedResponses;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.limit.OncePerSecond;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns what the passkey library says into one counter, one histogram, one span and one log line per act, and into
 * an entry of the history that the console shows. Thread-safe.
 *
 * <p>Labels, attributes and log fields are the codes of {@link Step} and other constants, never what was received. A whole
 * credential id stands nowhere. User ids stand in the audit row, where an operator looks for them; logs travel further, and
 * get a pseudonym that is always the same for the same user.
 *
 * <p>What the canary does as its own user is none of it but a span and a log line at level debug: counters, history and audit
 * are about people.
 */
public final class CeremonyTelemetry implements CeremonyListener {
    private static final String FAILED = "failed";
    private static final ThreadLocal<@Nullable ActUnderWay> CURRENT = new ThreadLocal<>();

    private final Tracer tracer;
    private final Pseudonyms pseudonyms;
    private final Counter acts;
    private final Histogram durations;
    private final Counter suspicions;
    private final CeremonyHistory history;
    private final RefusedResponses responses;
    private final InstantSource clock;
    private final OncePerSecond faults = new OncePerSecond();

    public CeremonyTelemetry(
            Observability observe,
            Pseudonyms pseudonyms,
            CeremonyHistory history,
            RefusedResponses responses,
            InstantSource clock) {
        this.tracer = observe.tracer();
        this.pseudonyms = pseudonyms;
        this.history = history;
        this.responses = responses;
        this.clock = clock;
        acts = observe.metrics()
                .counter(
                        "passkey_ceremonies_total",
                        "Acts of ceremonies by outcome, and the step that refused.",
                        "ceremony",
                        "outcome",
                        "reason");
        durations = observe.metrics()
                .histogram(
                        "passkey_ceremony_duration_seconds",
                        "Time an act of a ceremony took.",
                        Histogram.latencyBuckets(),
                        "ceremony",
                        "outcome");
        suspicions = observe.metrics()
                .counter("passkey_suspicions_total", "Logins that passed and should be looked at.", "reason");
        // Rare, and alerts rest on the first: these are there with 0 from the start.
        suspicions.with(Step.SIGN_COUNT.code());
        suspicions.with("became_backup_eligible");
        acts.with(word(Act.FINISH_AUTHENTICATION), "refused", Step.SIGN_COUNT.code());
    }

    /** Does something with the passkey service on behalf of a request, so that what it tells is that request's. */
    public <T extends @Nullable Object> T of(Exchange exchange, Supplier<T> work) {
        return of(exchange, null, work);
    }

    /** The same with what a browser answered, which is kept for a while if it is refused. */
    public <T extends @Nullable Object> T of(Exchange exchange, @Nullable String response, Supplier<T> work) {
        CURRENT.set(new ActUnderWay(exchange, response));
        try {
            return work.get();
        } finally {
            CURRENT.remove();
        }
    }

    @Override
    public void begun(Act act) {
        ActUnderWay request = CURRENT.get();
        if (request != null) {
            request.span = tracer.start("passkey " + word(act), Attributes.none());
            request.scope = request.span.makeCurrent();
        }
    }

    @Override
    public void passed(Act act, Step step, long nanos) {
        ActUnderWay request = CURRENT.get();
        if (request != null) {
            request.steps.add(new StepResult(step, true, nanos));
        }
    }

    @Override
    public void refused(Act act, Step step, String detail, long nanos) {
        ActUnderWay request = CURRENT.get();
        if (request != null) {
            request.detail = detail;
            request.steps.add(new StepResult(step, false, nanos));
        }
    }

    @Override
    public void spent(Act act, Phase phase, long nanos) {
        if (phase == Phase.SIGNATURE) {
            tracer.ended("verify signature", Attributes.of("crypto.algorithm", "ES256"), nanos);
        }
    }

    @Override
    public void signCountRegressed(VerifiedAssertion assertion) {
        suspicions.with(Step.SIGN_COUNT.code()).inc();
        ActUnderWay request = CURRENT.get();
        if (request != null) {
            request.flagged = Step.SIGN_COUNT.code();
            request.detail = "count " + assertion.signCount() + " after "
                    + assertion.credential().signCount();
        }
    }

    @Override
    public void becameBackupEligible(VerifiedAssertion assertion) {
        suspicions.with("became_backup_eligible").inc();
    }

    @Override
    public void finished(Act act, Outcome outcome, long nanos) {
        ActUnderWay request = CURRENT.get();
        boolean turnedAway = outcome.good()
                && act == Act.FINISH_AUTHENTICATION
                && !CanaryUser.admits(outcome.userId(), request != null && request.synthetic);
        boolean refused = turnedAway || outcome.refused() != null;
        String result = refused ? "refused" : outcome.good() ? "ok" : FAILED;
        String reason = turnedAway
                ? CanaryUser.REFUSED
                : outcome.refused() == null ? "" : outcome.refused().code();
        if (request != null && request.synthetic && CanaryUser.is(outcome.userId())) {
            end(request, act, result, reason, outcome.failure());
            request.logger.debug("canary: " + word(act) + ' ' + result, Fields.of("reason", reason));
            return;
        }
        acts.with(word(act), result, reason).inc();
        durations.with(word(act), result).observeNanos(nanos);
        if (request == null) {
            return;
        }
        end(request, act, result, reason, outcome.failure());
        boolean finish = act == Act.FINISH_AUTHENTICATION || act == Act.FINISH_REGISTRATION;
        history.add(
                request.trace.id(),
                new ServerAct(
                        word(act),
                        finish,
                        clock.millis(),
                        nanos,
                        result,
                        outcome.refused(),
                        outcome.failure() == null ? request.detail : String.valueOf(outcome.failure()),
                        request.correlationId,
                        outcome.userId() == null ? "" : outcome.userId(),
                        CredentialIdPrefix.of(outcome.credentialId()),
                        request.steps,
                        request.trace.claimed()));
        if (finish) {
            keep(request, act, outcome);
            String noted = reason.isEmpty() ? request.flagged : reason;
            log(request, act, outcome, result, noted, nanos);
        }
    }

    /** What failed is not kept: its challenge may still be good. */
    private void keep(ActUnderWay request, Act act, Outcome outcome) {
        Step refused = outcome.refused();
        var kept = refused == null ? null : request.kept(act, refused, outcome.userId(), clock.instant());
        if (kept != null) {
            responses.keep(kept, request.address);
        }
    }

    private static void end(ActUnderWay request, Act act, String result, String reason, @Nullable Throwable failure) {
        if (request.scope != null) {
            request.scope.close();
        }
        request.span.set("passkey.act", word(act)).set("passkey.outcome", result);
        if (!reason.isEmpty()) {
            request.span.set("passkey.refused_at", reason);
            tellSteps(request);
        }
        if (failure != null) {
            request.span.status(SpanStatus.ERROR).end(failure);
        } else {
            request.span.end();
        }
    }

    /** Every step of an act that was refused, as an event. What passed as it should needs none. */
    private static void tellSteps(ActUnderWay request) {
        if (request.span.recording()) {
            for (StepResult step : request.steps) {
                request.span.event(step.step().code(), Attributes.of("passed", step.passed(), "nanos", step.nanos()));
            }
        }
    }

    private void log(ActUnderWay request, Act act, Outcome outcome, String result, String reason, long nanos) {
        Fields fields = new Fields()
                .put("ceremony", word(act))
                .put("outcome", result)
                .put("user", outcome.userId() == null ? null : pseudonyms.of(outcome.userId()))
                .put("credential", CredentialIdPrefix.of(outcome.credentialId()))
                .put("support_code", request.trace.supportCode())
                .put("support_code_claimed", request.trace.claimed() ? true : null)
                .put("durationMs", nanos / 1e6);
        if (!reason.isEmpty()) {
            fields.put("reason", reason).put("detail", request.detail);
        }
        if (result.equals("ok") && reason.isEmpty()) {
            request.logger.info(word(act) + " ok", fields);
        } else if (!result.equals(FAILED) || pass(FAILED, fields)) {
            request.logger.warn(word(act) + ' ' + result, fields);
        }
    }

    /** Whether to log what every ceremony meets while the storage is away, with how many times it was not logged. */
    private boolean pass(String what, Fields fields) {
        long others = faults.pass(what);
        fields.put("notLogged", others);
        return others != OncePerSecond.HELD_BACK;
    }

    private static String word(Act act) {
        return switch (act) {
            case START_REGISTRATION -> "registration_options";
            case FINISH_REGISTRATION -> "registration";
            case START_AUTHENTICATION -> "login_options";
            case FINISH_AUTHENTICATION -> "login";
        };
    }
}
