// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.passkey.Act;
import dev.porchlight.passkey.CeremonyListener;
import dev.porchlight.passkey.Phase;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.passkey.verify.VerifiedAssertion;
import dev.porchlight.server.console.CeremonyHistory;
import dev.porchlight.server.explain.RefusedResponses;
import dev.porchlight.server.http.Exchange;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** No counts, no spans, no lines; the console's history is what it is. */
public final class CeremonyTelemetry implements CeremonyListener {
    private final Records records;

    public CeremonyTelemetry(
            Observability observe,
            Pseudonyms pseudonyms,
            CeremonyHistory history,
            RefusedResponses responses,
            InstantSource clock) {
        records = new Records(history, clock);
    }

    /** Refused responses are not kept: logins that pass are measured. */
    public <T extends @Nullable Object> T of(Exchange exchange, @Nullable String response, Supplier<T> work) {
        return of(exchange, work);
    }

    public <T extends @Nullable Object> T of(Exchange exchange, Supplier<T> work) {
        records.begin(exchange);
        try {
            return work.get();
        } finally {
            records.end();
        }
    }

    @Override
    public void begun(Act act) {}

    @Override
    public void passed(Act act, Step step, long nanos) {
        records.step(step, true, nanos);
    }

    @Override
    public void refused(Act act, Step step, String detail, long nanos) {
        records.step(step, false, nanos);
    }

    @Override
    public void spent(Act act, Phase phase, long nanos) {}

    @Override
    public void signCountRegressed(VerifiedAssertion assertion) {}

    @Override
    public void becameBackupEligible(VerifiedAssertion assertion) {}

    @Override
    public void finished(Act act, Outcome outcome, long nanos) {
        records.finished(act, outcome, nanos);
    }
}
