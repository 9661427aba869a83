// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.observe.metrics.Counter;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.metrics.Timer;
import dev.porchlight.observe.trace.Tracer;
import dev.porchlight.passkey.CeremonyListener;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.Step;
import dev.porchlight.server.auth.EnrollmentFault;
import dev.porchlight.server.auth.EnrollmentRecord;
import dev.porchlight.server.history.CeremonyEvent.EnrollmentRefusal;
import dev.porchlight.server.history.CeremonyEvent.Request;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.history.Fact;
import dev.porchlight.server.history.ServerOperation;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.limit.OncePerSecond;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports the ceremony operations of requests: spans, metrics, history and log. Thread-safe.
 *
 * <p>Labels, attributes and log fields are codes of {@link Step} and other constants, never received values. None of them has
 * a complete credential id. Audit rows have the user id; logs, which are copied to more places, have a stable pseudonym of
 * it.
 */
public final class CeremonyTelemetry {
    static final String BECAME_BACKUP_ELIGIBLE = "became_backup_eligible";

    final Tracer tracer;
    final Pseudonyms pseudonyms;
    final CeremonyHistory history;
    final InstantSource clock;
    final Counter operations;
    final Timer durations;
    final Counter suspicions;
    final Counter backupChanges;
    final OncePerSecond failures = new OncePerSecond();

    public CeremonyTelemetry(
            Observability observe, Pseudonyms pseudonyms, CeremonyHistory history, InstantSource clock) {
        this.tracer = observe.tracer();
        this.pseudonyms = pseudonyms;
        this.history = history;
        this.clock = clock;
        MetricRegistry metrics = observe.metrics();
        operations = metrics.counter("passkey_ceremonies_total")
                .help("Ceremony operations, by outcome and refusing step.")
                .labels("ceremony", "outcome", "reason")
                .register();
        durations = metrics.timer("passkey_ceremony_duration_seconds")
                .help("Duration of ceremony operations.")
                .labels("ceremony", "outcome")
                .register();
        suspicions = metrics.counter("passkey_suspicions_total")
                .help("Logins that succeeded but look suspicious.")
                .labels("reason")
                .register();
        backupChanges = metrics.counter("passkey_backup_changes_total")
                .help("Logins with a passkey that was synced since its last use, or is no longer, by its new state.")
                .labels("state")
                .register();
        // Rare, and used by alerts: they exist with 0 from the start.
        suspicions.with(Step.SIGN_COUNT.code());
        suspicions.with(BECAME_BACKUP_ELIGIBLE);
        suspicions.with(Step.AUTHENTICATOR_ALLOWED.code());
        operations.with(Operation.FINISH_AUTHENTICATION.code(), "refused", Step.SIGN_COUNT.code());
        metrics.counter("refusals_shared_total")
                .help(
                        "Failed ceremonies, by whether other instances can find them: stored, or dropped because too many were waiting.")
                .labels("result")
                .read(samples -> {
                    samples.sample((double) history.stored(), "stored");
                    samples.sample((double) history.dropped(), "dropped");
                });
    }

    /**
     * Returns a listener for the operation of one request.
     *
     * @param response the browser's response, which is kept for a day if it is refused; null for a request for options
     * @param kind distinguishes a success from others in the metrics and in the history, or empty
     */
    public CeremonyListener listener(Exchange exchange, @Nullable String response, String kind) {
        return new CeremonyObservation(this, exchange, response, kind);
    }

    /**
     * Records a request that was refused before a ceremony had options.
     *
     * @param reason the code of the problem
     * @param userId the name that was typed, or empty
     * @param found what is wrong, in words, or empty
     */
    public void refused(Exchange exchange, Operation operation, String reason, String userId, String found) {
        RequestTrace trace = RequestTrace.of(exchange);
        history.add(
                trace.id(),
                new ServerOperation(
                        new Request(clock.millis(), exchange.correlationId(), trace.claimed()),
                        operation,
                        0,
                        ServerOperation.REFUSED,
                        reason,
                        found,
                        userId,
                        "",
                        List.of(),
                        false),
                trace.address());
    }

    /** Records a refused enrollment token. */
    public void refused(Exchange exchange, EnrollmentFault fault) {
        EnrollmentRecord link = fault.link();
        List<Fact> facts = link == null ? List.of() : EnrollmentFacts.of(link);
        String user = link == null ? "" : link.userId();
        RequestTrace trace = RequestTrace.of(exchange);
        history.add(
                trace.id(),
                new EnrollmentRefusal(
                        new Request(clock.millis(), exchange.correlationId(), trace.claimed()),
                        fault.reason().code(),
                        user,
                        fault.expected(),
                        fault.found(),
                        facts),
                trace.address());
        exchange.logger()
                .warn(
                        "an enrollment link was refused",
                        new Fields()
                                .put("reason", fault.reason().code())
                                .put("user", user.isEmpty() ? null : pseudonyms.of(user))
                                .put("support_code", trace.supportCode())
                                .put("support_code_claimed", trace.claimed() ? true : null));
    }
}
