// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutations;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The listener receives all events in order, with consistent times. */
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
    void the_listener_receives_every_step_of_a_registration() {
        String response = browser.create(service.startRegistration("l1").toJson());
        recorder.events.clear();

        service.finishRegistration("l1", response);

        assertThat(recorder.events)
                .containsExactly(
                        "started FINISH_REGISTRATION",
                        "passed RESPONSE",
                        "passed CLIENT_DATA",
                        "spent CHALLENGE_STORE",
                        "passed TYPE",
                        "passed ORIGIN",
                        "passed FRAMING",
                        "passed TOP_ORIGIN",
                        "passed CHALLENGE_KNOWN",
                        "passed CHALLENGE_IN_TIME",
                        "passed CHALLENGE_PURPOSE",
                        "passed TOKEN_BINDING",
                        "passed ATTESTATION_OBJECT",
                        "passed AUTHENTICATOR_DATA",
                        "passed CREDENTIAL_ID",
                        "passed RP_ID_HASH",
                        "passed USER_PRESENT",
                        "passed USER_VERIFIED",
                        "passed BACKUP_STATE",
                        "passed ALGORITHM",
                        "passed PUBLIC_KEY",
                        "passed ATTESTATION_FORMAT",
                        "passed ATTESTATION_STATEMENT",
                        "passed ATTESTATION_TRUST",
                        "spent DATABASE",
                        "spent DATABASE",
                        "registered",
                        "finished FINISH_REGISTRATION ok");
    }

    @Test
    void the_listener_receives_every_step_of_an_authentication() {
        service.finishRegistration(
                "l2", browser.create(service.startRegistration("l2").toJson()));
        String response = browser.get(service.startAuthentication("l2").toJson());
        recorder.events.clear();

        service.finishAuthentication("l2", response);

        assertThat(recorder.events.subList(11, recorder.events.size()))
                .containsExactly(
                        "passed TOKEN_BINDING",
                        "spent DATABASE",
                        "spent SIGNATURE",
                        "passed CREDENTIAL_ID",
                        "passed CREDENTIAL_KNOWN",
                        "passed CREDENTIAL_OWNER",
                        "passed USER_HANDLE",
                        "passed PUBLIC_KEY",
                        "passed ORIGIN",
                        "passed AUTHENTICATOR_DATA",
                        "passed RP_ID_HASH",
                        "passed USER_PRESENT",
                        "passed USER_VERIFIED",
                        "passed BACKUP_STATE",
                        "passed BACKUP_ELIGIBILITY",
                        "passed SIGNATURE",
                        "passed SIGN_COUNT",
                        "spent DATABASE",
                        "authenticated l2",
                        "finished FINISH_AUTHENTICATION ok");
    }

    @Test
    void the_listener_receives_user_passkey_and_cause_of_a_refusal() {
        service.finishRegistration(
                "l3", browser.create(service.startRegistration("l3").toJson()));
        String wrong = browser.get(
                service.startAuthentication("l3").toJson(),
                Mutations.named(CeremonyType.AUTHENTICATION, "signed-by-another-key"));
        recorder.events.clear();

        service.finishAuthentication("l3", wrong);

        assertThat(recorder.events)
                .contains("refused SIGNATURE expected a signature by the stored key, found an invalid signature");
        assertThat(recorder.outcome.userId()).isEqualTo("l3");
        assertThat(recorder.outcome.credentialId())
                .isEqualTo(browser.authenticator().passkeys().get(0).id());
        assertThat(recorder.outcome.refusal().step()).isEqualTo(Step.SIGNATURE);
        assertThat(recorder.outcome.succeeded()).isFalse();
    }

    @Test
    void the_listener_receives_the_user_of_a_usernameless_login() {
        service.finishRegistration(
                "l4", browser.create(service.startRegistration("l4").toJson()));

        service.finishAuthentication(browser.get(service.startAuthentication().toJson()));

        assertThat(recorder.outcome.userId()).isEqualTo("l4");
    }

    @Test
    void the_listener_receives_a_failure_before_the_caller_does() {
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
    void a_failing_listener_refuses_a_login() {
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

        String response = browser.get(audited.startAuthentication("l6").toJson());
        assertThatThrownBy(() -> audited.finishAuthentication("l6", response)).hasMessage("the audit trail is full");
    }

    @Test
    void a_failing_listener_does_not_undo_a_registration() {
        var reported = new ArrayList<Throwable>();
        var thread = Thread.currentThread();
        var handler = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler((where, what) -> reported.add(what));
        try {
            PasskeyService deaf = PasskeyService.builder(Stage.config(), tables.database, challenges)
                    .listener(new FailsOnceDone())
                    .build();
            String response = browser.create(deaf.startRegistration("l8").toJson());
            reported.clear();

            RegistrationResult result = deaf.finishRegistration("l8", response);

            assertThat(result.registered()).isTrue();
            assertThat(deaf.passkeys("l8")).containsExactly(((RegistrationResult.Registered) result).credential());
            assertThat(reported).extracting(Throwable::getMessage).containsExactly("spent", "registered", "finished");
        } finally {
            thread.setUncaughtExceptionHandler(handler);
        }
    }

    @Test
    void a_failing_listener_does_not_hide_another_failure() {
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
    void a_listener_that_fails_early_prevents_the_registration() {
        for (Step step : new Step[] {Step.RESPONSE, Step.CHALLENGE_KNOWN, Step.ATTESTATION_TRUST}) {
            PasskeyService audited = PasskeyService.builder(Stage.config(), tables.database, challenges)
                    .listener(new CeremonyListener() {
                        @Override
                        public void checked(Operation operation, StepResult checked) {
                            if (checked.step() == step) {
                                throw new IllegalStateException("no");
                            }
                        }
                    })
                    .build();
            String response = browser.create(audited.startRegistration("l10").toJson());

            assertThatThrownBy(() -> audited.finishRegistration("l10", response))
                    .hasMessage("no");
            assertThat(audited.passkeys("l10")).isEmpty();
        }
    }

    @Test
    void a_request_listener_is_called_after_the_service_listener_and_only_for_its_request() {
        List<String> order = new ArrayList<>();
        PasskeyService shared = PasskeyService.builder(Stage.config(), tables.database, challenges)
                .listener(notes(order, "service"))
                .build();

        shared.with(notes(order, "request")).startAuthentication("l11");
        shared.startAuthentication("l11");

        assertThat(order).containsExactly("service", "request", "service");
    }

    private static CeremonyListener notes(List<String> order, String name) {
        return new CeremonyListener() {
            @Override
            public void finished(Operation operation, Outcome outcome, long nanos) {
                order.add(name);
            }
        };
    }

    @Test
    void reported_times_do_not_exceed_the_total() {
        String response = browser.create(service.startRegistration("l7").toJson());
        recorder.parts = 0;

        service.finishRegistration("l7", response);

        assertThat(recorder.parts).isPositive().isLessThanOrEqualTo(recorder.whole);
    }

    /** Fails at every event after a passkey was stored. */
    private static final class FailsOnceDone implements CeremonyListener {
        private int databaseCalls;

        @Override
        public void spent(Operation operation, OperationPhase phase, long nanos) {
            // The user's handle is read first, then the passkey is stored.
            if (operation == Operation.FINISH_REGISTRATION
                    && phase == OperationPhase.DATABASE
                    && ++databaseCalls == 2) {
                throw new IllegalStateException("spent");
            }
        }

        @Override
        public void registered(CredentialRecord credential) {
            throw new IllegalStateException("registered");
        }

        @Override
        public void finished(Operation operation, Outcome outcome, long nanos) {
            throw new IllegalStateException("finished");
        }
    }

    private static final class Recorder implements CeremonyListener {
        private final List<String> events = new ArrayList<>();
        private Outcome outcome;
        private long parts;
        private long whole;

        @Override
        public void started(Operation operation) {
            events.add("started " + operation);
        }

        @Override
        public void checked(Operation operation, StepResult step) {
            events.add(step.passed() ? "passed " + step.step() : "refused " + step.step() + " " + step.detail());
            parts += step.nanos();
        }

        @Override
        public void spent(Operation operation, OperationPhase phase, long nanos) {
            events.add("spent " + phase);
            parts += phase == OperationPhase.SIGNATURE ? 0 : nanos;
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
        public void finished(Operation operation, Outcome how, long nanos) {
            String end = how.succeeded() ? "ok" : how.failure() == null ? "refused" : "failed";
            events.add("finished " + operation + " " + end);
            outcome = how;
            whole = nanos;
        }
    }
}
