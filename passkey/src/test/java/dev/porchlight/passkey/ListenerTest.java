// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.passkey.verify.VerifiedAssertion;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.tamper.Ceremony;
import dev.porchlight.testkit.tamper.Tamper;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The listener hears everything, in order, with times that add up. */
class ListenerTest {
    private static Stage tables;

    private final SoftBrowser browser = Stage.browser();
    private final Recorder recorder = new Recorder();
    private final AtomicLong nanos = new AtomicLong();
    private final MemoryChallengeStore challenges = new MemoryChallengeStore();
    private final PasskeyService service = PasskeyService.builder(Stage.config(), tables.database, challenges)
            .listener(recorder)
            .nanoTime(() -> nanos.addAndGet(10))
            .build();

    @BeforeAll
    static void migrate() {
        tables = Stage.on(TestDatabase.SQLITE);
    }

    @Test
    void hears_a_registration_step_by_step() {
        String answer = browser.create(service.startRegistration("l1").toJson());
        recorder.events.clear();

        service.finishRegistration("l1", answer);

        assertThat(recorder.events)
                .containsExactly(
                        "begun FINISH_REGISTRATION",
                        "passed MALFORMED_RESPONSE",
                        "passed MALFORMED_CLIENT_DATA",
                        "spent CHALLENGE_STORE",
                        "passed TYPE_MISMATCH",
                        "passed ORIGIN_MISMATCH",
                        "passed CROSS_ORIGIN",
                        "passed TOP_ORIGIN",
                        "passed CHALLENGE_NOT_FOUND",
                        "passed CHALLENGE_EXPIRED",
                        "passed WRONG_CEREMONY",
                        "passed TOKEN_BINDING",
                        "passed MALFORMED_ATTESTATION",
                        "passed MALFORMED_AUTHENTICATOR_DATA",
                        "passed CREDENTIAL_ID_MISMATCH",
                        "passed RP_ID_HASH_MISMATCH",
                        "passed USER_NOT_PRESENT",
                        "passed USER_NOT_VERIFIED",
                        "passed BACKUP_STATE_INVALID",
                        "passed ALG_NOT_ALLOWED",
                        "passed BAD_PUBLIC_KEY",
                        "passed ATTESTATION_FORMAT",
                        "passed ATTESTATION_INVALID",
                        "passed ATTESTATION_UNTRUSTED",
                        "spent DATABASE",
                        "spent DATABASE",
                        "registered",
                        "finished FINISH_REGISTRATION good");
    }

    @Test
    void hears_an_authentication_step_by_step() {
        service.finishRegistration(
                "l2", browser.create(service.startRegistration("l2").toJson()));
        String answer = browser.get(service.startAuthentication("l2").toJson());
        recorder.events.clear();

        service.finishAuthentication("l2", answer);

        assertThat(recorder.events.subList(11, recorder.events.size()))
                .containsExactly(
                        "passed TOKEN_BINDING",
                        "spent DATABASE",
                        "spent SIGNATURE",
                        "passed CREDENTIAL_ID_MISMATCH",
                        "passed UNKNOWN_CREDENTIAL",
                        "passed CREDENTIAL_OWNER_MISMATCH",
                        "passed USER_HANDLE_MISMATCH",
                        "passed BAD_PUBLIC_KEY",
                        "passed ORIGIN_MISMATCH",
                        "passed MALFORMED_AUTHENTICATOR_DATA",
                        "passed RP_ID_HASH_MISMATCH",
                        "passed USER_NOT_PRESENT",
                        "passed USER_NOT_VERIFIED",
                        "passed BACKUP_STATE_INVALID",
                        "passed BACKUP_ELIGIBILITY_CHANGED",
                        "passed BAD_SIGNATURE",
                        "passed SIGN_COUNT",
                        "spent DATABASE",
                        "authenticated l2",
                        "finished FINISH_AUTHENTICATION good");
    }

    @Test
    void hears_who_and_which_and_why_of_a_refusal() {
        service.finishRegistration(
                "l3", browser.create(service.startRegistration("l3").toJson()));
        String wrong = browser.get(
                service.startAuthentication("l3").toJson(),
                Tamper.named(Ceremony.AUTHENTICATION, "signed-by-another-key"));
        recorder.events.clear();

        service.finishAuthentication("l3", wrong);

        assertThat(recorder.events).contains("refused BAD_SIGNATURE not a signature of the stored key");
        assertThat(recorder.outcome.userId()).isEqualTo("l3");
        assertThat(recorder.outcome.credentialId())
                .isEqualTo(browser.authenticator().passkeys().get(0).id());
        assertThat(recorder.outcome.refused()).isEqualTo(Step.BAD_SIGNATURE);
        assertThat(recorder.outcome.good()).isFalse();
    }

    @Test
    void hears_who_signed_in_when_nobody_was_named() {
        service.finishRegistration(
                "l4", browser.create(service.startRegistration("l4").toJson()));

        service.finishAuthentication(browser.get(service.startAuthentication().toJson()));

        assertThat(recorder.outcome.userId()).isEqualTo("l4");
    }

    @Test
    void hears_of_a_failure_and_then_it_goes_on_to_the_caller() {
        PasskeyService broken = PasskeyService.builder(Stage.config(), tables.database, new ThreeOperations() {
                    @Override
                    public void setChallenge(String userId, String challenge, long expiresAt) {
                        throw new IllegalStateException("out of order");
                    }
                })
                .listener(recorder)
                .build();

        assertThatThrownBy(() -> broken.startAuthentication("l5")).isInstanceOf(StorageException.class);

        assertThat(recorder.outcome.failure()).isInstanceOf(StorageException.class);
        assertThat(recorder.events).last().isEqualTo("finished START_AUTHENTICATION failed");
    }

    @Test
    void can_refuse_a_login_by_failing() {
        service.finishRegistration(
                "l6", browser.create(service.startRegistration("l6").toJson()));
        PasskeyService audited = PasskeyService.builder(Stage.config(), tables.database, challenges)
                .listener(new CeremonyListener() {
                    @Override
                    public void authenticated(VerifiedAssertion assertion) {
                        throw new IllegalStateException("the audit trail is full");
                    }
                })
                .build();

        String answer = browser.get(audited.startAuthentication("l6").toJson());
        assertThatThrownBy(() -> audited.finishAuthentication("l6", answer)).hasMessage("the audit trail is full");
    }

    @Test
    void cannot_undo_a_registration_by_failing() {
        var reported = new ArrayList<Throwable>();
        var thread = Thread.currentThread();
        var handler = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler((where, what) -> reported.add(what));
        try {
            PasskeyService deaf = PasskeyService.builder(Stage.config(), tables.database, challenges)
                    .listener(new FailsOnceDone())
                    .build();
            String answer = browser.create(deaf.startRegistration("l8").toJson());
            reported.clear();

            RegistrationResult result = deaf.finishRegistration("l8", answer);

            assertThat(result.registered()).isTrue();
            assertThat(deaf.passkeys("l8")).containsExactly(((RegistrationResult.Registered) result).credential());
            assertThat(reported).extracting(Throwable::getMessage).containsExactly("spent", "registered", "finished");
        } finally {
            thread.setUncaughtExceptionHandler(handler);
        }
    }

    @Test
    void cannot_hide_a_failure_by_failing_too() {
        var reported = new ArrayList<Throwable>();
        var thread = Thread.currentThread();
        var handler = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler((where, what) -> reported.add(what));
        try {
            PasskeyService broken = PasskeyService.builder(Stage.config(), tables.database, new ThreeOperations() {
                        @Override
                        public void setChallenge(String userId, String challenge, long expiresAt) {
                            throw new StorageException("out of order");
                        }
                    })
                    .listener(new FailsOnceDone())
                    .build();

            assertThatThrownBy(() -> broken.startAuthentication("l9")).hasMessage("out of order");
            assertThat(reported).extracting(Throwable::getMessage).containsExactly("finished");
        } finally {
            thread.setUncaughtExceptionHandler(handler);
        }
    }

    @Test
    void leaves_nothing_behind_when_it_fails_before_anything_is_stored() {
        for (Step step : new Step[] {Step.MALFORMED_RESPONSE, Step.CHALLENGE_NOT_FOUND, Step.ATTESTATION_UNTRUSTED}) {
            PasskeyService audited = PasskeyService.builder(Stage.config(), tables.database, challenges)
                    .listener(new CeremonyListener() {
                        @Override
                        public void passed(Act act, Step passed, long nanos) {
                            if (passed == step) {
                                throw new IllegalStateException("no");
                            }
                        }
                    })
                    .build();
            String answer = browser.create(audited.startRegistration("l10").toJson());

            assertThatThrownBy(() -> audited.finishRegistration("l10", answer)).hasMessage("no");
            assertThat(audited.passkeys("l10")).isEmpty();
        }
    }

    @Test
    void times_add_up_to_no_more_than_the_whole() {
        String answer = browser.create(service.startRegistration("l7").toJson());
        recorder.parts = 0;

        service.finishRegistration("l7", answer);

        assertThat(recorder.parts).isPositive().isLessThanOrEqualTo(recorder.whole);
    }

    /** Fails at everything it hears after a passkey was stored. */
    private static final class FailsOnceDone implements CeremonyListener {
        private int databaseCalls;

        @Override
        public void spent(Act act, Phase phase, long nanos) {
            // The user's handle is read first, then the passkey is stored.
            if (act == Act.FINISH_REGISTRATION && phase == Phase.DATABASE && ++databaseCalls == 2) {
                throw new IllegalStateException("spent");
            }
        }

        @Override
        public void registered(CredentialRecord credential) {
            throw new IllegalStateException("registered");
        }

        @Override
        public void finished(Act act, Outcome outcome, long nanos) {
            throw new IllegalStateException("finished");
        }
    }

    private static final class Recorder implements CeremonyListener {
        private final List<String> events = new ArrayList<>();
        private Outcome outcome;
        private long parts;
        private long whole;

        @Override
        public void begun(Act act) {
            events.add("begun " + act);
        }

        @Override
        public void passed(Act act, Step step, long nanos) {
            events.add("passed " + step);
            parts += nanos;
        }

        @Override
        public void refused(Act act, Step step, String detail, long nanos) {
            events.add("refused " + step + " " + detail);
            parts += nanos;
        }

        @Override
        public void spent(Act act, Phase phase, long nanos) {
            events.add("spent " + phase);
            parts += phase == Phase.SIGNATURE ? 0 : nanos;
        }

        @Override
        public void registered(CredentialRecord credential) {
            events.add("registered");
        }

        @Override
        public void authenticated(VerifiedAssertion assertion) {
            events.add("authenticated " + assertion.userId());
        }

        @Override
        public void finished(Act act, Outcome how, long nanos) {
            String end = how.good() ? "good" : how.failure() == null ? "refused" : "failed";
            events.add("finished " + act + " " + end);
            outcome = how;
            whole = nanos;
        }
    }
}
