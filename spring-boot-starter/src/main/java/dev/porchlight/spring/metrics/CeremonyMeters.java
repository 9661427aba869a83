// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.metrics;

import dev.porchlight.passkey.CeremonyListener;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.VerifiedAssertion;
import dev.porchlight.passkey.store.UnreadableRow;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/**
 * Counts and times ceremony operations. Tag values are constants such as the codes of {@link Step}, never client input,
 * so their number is bounded. Thread-safe.
 */
final class CeremonyMeters implements CeremonyListener {
    private final MeterProvider<Counter> operations;
    private final MeterProvider<Timer> durations;
    private final Counter countRegressed;
    private final Counter becameBackupEligible;
    private final MeterProvider<Counter> backupChanges;
    private final Counter authenticatorSuspected;
    private final Counter unreadableRows;

    CeremonyMeters(MeterRegistry registry) {
        operations = Counter.builder("passkey.ceremonies")
                .description("Ceremony operations, by outcome and refusing step.")
                .withRegistry(registry);
        durations = Timer.builder("passkey.ceremony.duration")
                .description("Duration of ceremony operations.")
                .withRegistry(registry);
        var suspicions = Counter.builder("passkey.suspicions")
                .description("Logins that succeeded but look suspicious.")
                .withRegistry(registry);
        // Rare events with alerts: their series exist from the start.
        countRegressed = suspicions.withTag("reason", "sign_count");
        becameBackupEligible = suspicions.withTag("reason", "became_backup_eligible");
        backupChanges = Counter.builder("passkey.backup.changes")
                .description(
                        "Logins with a passkey that was synced since its last use, or is no longer, by its new state.")
                .withRegistry(registry);
        authenticatorSuspected = suspicions.withTag("reason", Step.AUTHENTICATOR_ALLOWED.code());
        unreadableRows = Counter.builder("passkey.unreadable.rows")
                .description("Skipped rows of passkey_credential that cannot be read.")
                .register(registry);
        operations.withTags(
                "ceremony",
                Operation.FINISH_AUTHENTICATION.code(),
                "outcome",
                "refused",
                "reason",
                Step.SIGN_COUNT.code());
    }

    @Override
    public void signCountRegressed(VerifiedAssertion assertion) {
        countRegressed.increment();
    }

    @Override
    public void becameBackupEligible(VerifiedAssertion assertion) {
        becameBackupEligible.increment();
    }

    @Override
    public void backupStateChanged(VerifiedAssertion assertion) {
        backupChanges
                .withTag("state", assertion.backedUp() ? "synced" : "not_synced")
                .increment();
    }

    @Override
    public void authenticatorSuspected(VerifiedAssertion assertion, String reason) {
        authenticatorSuspected.increment();
    }

    @Override
    public void unreadable(UnreadableRow row) {
        unreadableRows.increment();
    }

    @Override
    public void finished(Operation operation, Outcome outcome, long nanos) {
        operations
                .withTags("ceremony", operation.code(), "outcome", outcome.code(), "reason", outcome.reason())
                .increment();
        durations
                .withTags("ceremony", operation.code(), "outcome", outcome.code())
                .record(nanos, TimeUnit.NANOSECONDS);
    }
}
