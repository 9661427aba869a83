// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.metrics;

import dev.porchlight.passkey.Act;
import dev.porchlight.passkey.CeremonyListener;
import dev.porchlight.passkey.store.UnreadableRow;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.passkey.verify.VerifiedAssertion;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/**
 * Counts and times the acts of ceremonies. Tags are the codes of {@link Step} and other constants, never what was received, so
 * there are no more of them than the enums have. Thread-safe.
 */
final class CeremonyMeters implements CeremonyListener {
    private final MeterProvider<Counter> acts;
    private final MeterProvider<Timer> durations;
    private final Counter countRegressed;
    private final Counter becameBackupEligible;
    private final Counter unreadableRows;

    CeremonyMeters(MeterRegistry registry) {
        acts = Counter.builder("passkey.ceremonies")
                .description("Acts of ceremonies by outcome, and the step that refused.")
                .withRegistry(registry);
        durations = Timer.builder("passkey.ceremony.duration")
                .description("Time an act of a ceremony took.")
                .withRegistry(registry);
        var suspicions = Counter.builder("passkey.suspicions")
                .description("Logins that passed and should be looked at.")
                .withRegistry(registry);
        // Rare, and alerts rest on them: these are there with 0 from the start.
        countRegressed = suspicions.withTag("reason", "sign_count");
        becameBackupEligible = suspicions.withTag("reason", "became_backup_eligible");
        unreadableRows = Counter.builder("passkey.unreadable.rows")
                .description("Times a row of passkey_credential was skipped because it cannot be read.")
                .register(registry);
        acts.withTags(
                "ceremony", word(Act.FINISH_AUTHENTICATION), "outcome", "refused", "reason", Step.SIGN_COUNT.code());
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
    public void unreadable(UnreadableRow row) {
        unreadableRows.increment();
    }

    @Override
    public void finished(Act act, Outcome outcome, long nanos) {
        Step refused = outcome.refused();
        String result = outcome.good() ? "ok" : refused != null ? "refused" : "failed";
        acts.withTags("ceremony", word(act), "outcome", result, "reason", refused == null ? "" : refused.code())
                .increment();
        durations.withTags("ceremony", word(act), "outcome", result).record(nanos, TimeUnit.NANOSECONDS);
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
