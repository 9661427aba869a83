// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.passkey.CeremonyListener;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.Step;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.history.RefusedResponses;
import dev.porchlight.server.history.SharedRefusals;
import dev.porchlight.server.http.Exchange;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports the ceremony operations of requests to independent listeners: spans, metrics, history and log. Thread-safe.
 *
 * <p>Labels, attributes and log fields are codes of {@link Step} and other constants, never received values. None of them has
 * a complete credential id. Audit rows have the user id; logs, which are copied to more places, have a stable pseudonym of
 * it.
 */
public final class CeremonyTelemetry {
    static final String BECAME_BACKUP_ELIGIBLE = "became_backup_eligible";

    /** Receives the operations of all requests, each with its context. Thread-safe. */
    interface ContextListener {
        default void started(Operation operation, CeremonyContext context) {}

        default void signatureVerified(long nanos) {}

        /** Called for a successful login that looks suspicious. */
        default void suspicious(String reason) {}

        default void finished(Operation operation, CeremonyContext context) {}
    }

    private final List<ContextListener> listeners;

    public CeremonyTelemetry(
            Observability observe,
            Pseudonyms pseudonyms,
            CeremonyHistory history,
            RefusedResponses responses,
            SharedRefusals refusals,
            InstantSource clock) {
        listeners = List.of(
                new CeremonySpans(observe.tracer()),
                new CeremonyMetrics(observe.metrics()),
                new CeremonyRecorder(history, responses, refusals, clock),
                new CeremonyLog(pseudonyms));
        observe.metrics()
                .counter("refusals_shared_total")
                .help("Refused ceremonies, by whether other instances can find them: stored or dropped.")
                .labels("result")
                .read(samples -> {
                    samples.sample((double) refusals.stored(), "stored");
                    samples.sample((double) refusals.dropped(), "dropped");
                });
    }

    /** Returns a listener for the operation of one request. */
    public CeremonyListener listener(Exchange exchange) {
        return listener(exchange, null);
    }

    /** Returns a listener for one request with a browser's response, which is kept for a day if it is refused. */
    public CeremonyListener listener(Exchange exchange, @Nullable String response) {
        return new CeremonyContext(exchange, response, listeners);
    }
}
