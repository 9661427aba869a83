// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.store.ChallengeStore;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.StoredChallenge;
import dev.porchlight.testkit.Mediation;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A challenge is issued for one ceremony, answered once, in time, by the one it was issued to. */
class ChallengeLifeTest {
    static DataSource database;

    final SoftBrowser browser = Stage.browser();
    Stage stage;
    PasskeyService service;

    @BeforeAll
    static void migrate() {
        database = Stage.on(TestDatabase.SQLITE).database;
    }

    @BeforeEach
    void open() {
        stage = stage();
        service = stage.service;
    }

    /** Where challenges are sealed. */
    Stage stage() {
        return Stage.on(database, null);
    }

    int challengeBytes() {
        return 42;
    }

    @Test
    void refuses_an_answer_that_was_accepted_before() { // T01
        stage.register("p01", browser);
        String answer = browser.get(service.startAuthentication("p01").toJson());
        assertThat(service.finishAuthentication("p01", answer).verified()).isTrue();

        assertRefused(service.finishAuthentication("p01", answer), Step.CHALLENGE_KNOWN);
    }

    @Test
    void refuses_the_twin_of_an_answer_that_was_accepted() { // T30
        stage.register("p30", browser);
        String options = service.startAuthentication("p30").toJson();
        assertThat(service.finishAuthentication("p30", browser.get(options)).verified())
                .isTrue();

        String twin = browser.get(options, mutation(CeremonyType.AUTHENTICATION, "signature-malleated"));
        assertRefused(service.finishAuthentication("p30", twin), Step.CHALLENGE_KNOWN);
    }

    @Test
    void refuses_the_right_answer_after_a_wrong_one() { // T03
        stage.register("p03", browser);
        for (String mutation : new String[] {
            "signed-by-another-key",
            "type-of-the-other-ceremony",
            "origin-of-another-site",
            "id-differs-from-raw-id",
            "passkey-never-registered"
        }) {
            String options = service.startAuthentication("p03").toJson();
            String wrong = browser.get(options, mutation(CeremonyType.AUTHENTICATION, mutation));
            assertThat(service.finishAuthentication("p03", wrong).verified()).isFalse();

            assertRefused(service.finishAuthentication("p03", browser.get(options)), Step.CHALLENGE_KNOWN);
        }
    }

    @Test
    void refuses_the_right_registration_after_a_wrong_one() { // T03
        String options = service.startRegistration("p03r").toJson();
        service.finishRegistration(
                "p03r", browser.create(options, mutation(CeremonyType.REGISTRATION, "object-with-a-tail")));

        assertRefused(service.finishRegistration("p03r", browser.create(options)), Step.CHALLENGE_KNOWN);
        assertThat(service.passkeys("p03r")).isEmpty();
    }

    @Test
    void lets_a_login_in_flight_finish_while_strangers_ask_a_hundred_times() { // T04
        stage.register("p04", browser);
        String options = service.startAuthentication("p04").toJson();
        for (int i = 0; i < 100; i++) {
            service.startAuthentication("p04");
            service.finishAuthentication("p04", new HandmadePasskey("stranger").answer("nonsense", 1, 1, null));
        }

        assertThat(service.finishAuthentication("p04", browser.get(options)).verified())
                .isTrue();
    }

    @Test
    void refuses_an_answer_to_a_challenge_issued_for_the_other_ceremony() { // T05
        var passkey = new HandmadePasskey("p05");
        new SqlCredentialStore(database).add(passkey.recordOf("p05", 0).build(), 20);
        String forRegistration = service.startRegistration("p05").challenge();

        assertRefused(
                service.finishAuthentication("p05", passkey.answer(forRegistration, 1, 1, null)),
                Step.CHALLENGE_PURPOSE);
    }

    @Test
    void refuses_a_registration_that_answers_a_login() { // T05
        CreationOptions registration = service.startRegistration("p05r");
        RequestOptions login = service.startAuthentication("p05r");
        String crossed = registration.toJson().replace(registration.challenge(), login.challenge());

        assertRefused(service.finishRegistration("p05r", browser.create(crossed)), Step.CHALLENGE_PURPOSE);
    }

    @Test
    void refuses_a_login_that_names_a_user_and_answers_options_that_did_not() {
        stage.register("named", browser);
        String answer = browser.get(service.startAuthentication().toJson());
        assertRefused(service.finishAuthentication("named", answer), Step.CHALLENGE_KNOWN);

        String other = browser.get(service.startAuthentication("named").toJson());
        assertRefused(service.finishAuthentication(other), Step.CHALLENGE_KNOWN);
    }

    @Test
    void issues_a_new_challenge_each_time() { // T06, T08
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            String challenge = service.startAuthentication().challenge();
            assertThat(Base64.getUrlDecoder().decode(challenge)).hasSize(challengeBytes());
            assertThat(seen.add(challenge.substring(16, 32))).isTrue();
        }
    }

    @Test
    void refuses_an_answer_that_comes_too_late_and_accepts_one_just_in_time() { // T07
        stage.register("p07", browser);
        String justInTime = browser.get(service.startAuthentication("p07").toJson());
        stage.clock.advance(Duration.ofMinutes(5).minusMillis(1));
        assertThat(service.finishAuthentication("p07", justInTime).verified()).isTrue();

        String tooLate = browser.get(service.startAuthentication("p07").toJson());
        stage.clock.advance(Duration.ofMinutes(5));
        assertRefused(service.finishAuthentication("p07", tooLate), Step.CHALLENGE_IN_TIME);
    }

    @Test
    void judges_the_expiry_itself_whatever_the_store_gives() { // T07
        stage.register("p07s", browser);
        ChallengeStore keepsForever = new ThreeOperations() {
            @Override
            public StoredChallenge getChallenge(String userId) {
                StoredChallenge stored = super.getChallenge(userId);
                return stored == null ? null : new StoredChallenge(stored.challenge(), 1);
            }
        };
        PasskeyService other = Stage.on(database, keepsForever).service;

        String answer = browser.get(other.startAuthentication("p07s").toJson());
        assertRefused(other.finishAuthentication("p07s", answer), Step.CHALLENGE_IN_TIME);
    }

    @Test
    void works_with_a_store_of_three_operations() {
        Stage three = Stage.on(database, new ThreeOperations());
        three.register("three", browser);

        assertThat(three.signIn("three", browser).verified()).isTrue();
        assertThat(three.signIn(browser.picks("three")).verified()).isTrue();
    }

    @Test
    void does_not_trust_a_store_that_gives_another_challenge_than_it_was_asked_for() {
        stage.register("confused", browser);
        ChallengeStore confused = new ThreeOperations() {
            @Override
            public StoredChallenge takeChallenge(String userId, String challenge) {
                return new StoredChallenge("something-else", Long.MAX_VALUE);
            }
        };
        PasskeyService other = Stage.on(database, confused).service;

        String answer = browser.get(other.startAuthentication("confused").toJson());
        assertRefused(other.finishAuthentication("confused", answer), Step.CHALLENGE_KNOWN);
    }

    @Test
    void lets_a_browser_register_by_itself_only_if_it_was_asked_to() { // T23
        var conditional = new RegistrationRequest(null, null, true);
        String asked = service.startRegistration("p23", conditional).toJson();
        assertThat(service.finishRegistration("p23", browser.create(asked, Mediation.CONDITIONAL)))
                .isInstanceOf(RegistrationResult.Registered.class);

        String notAsked = service.startRegistration("p23b").toJson();
        assertRefused(
                service.finishRegistration("p23b", browser.create(notAsked, Mediation.CONDITIONAL)), Step.USER_PRESENT);
    }

    @Test
    void fails_when_the_store_fails_and_accepts_nothing() { // T11
        stage.register("p11", browser);
        String answer = browser.get(service.startAuthentication("p11").toJson());
        PasskeyService other = failing(stage);

        assertThatThrownBy(() -> other.finishAuthentication("p11", answer)).isInstanceOf(StorageException.class);
        assertThat(service.passkeys("p11").get(0).lastUsedAt()).isNull();
    }

    @Test
    void fails_when_the_store_fails_and_refuses_no_one_as_if_it_had_not() { // T11
        stage.register("p11w", browser);
        String options = service.startAuthentication("p11w").toJson();
        String wrong = browser.get(options, mutation(CeremonyType.AUTHENTICATION, "signed-by-another-key"));

        assertThatThrownBy(() -> failing(stage).finishAuthentication("p11w", wrong))
                .isInstanceOf(StorageException.class);
    }

    /** The same service, except that no challenge can be marked as used. */
    PasskeyService failing(Stage working) {
        return Stage.on(working.database, null)
                .with(parts -> parts.usedChallenges((id, expiresAt) -> {
                    throw new StorageException("out of order");
                }))
                .service;
    }

    static Mutation mutation(CeremonyType ceremony, String name) {
        return Mutations.named(ceremony, name);
    }

    static void assertRefused(AuthenticationResult result, Step step) {
        assertThat(result).isInstanceOf(AuthenticationResult.Refused.class);
        assertThat(((AuthenticationResult.Refused) result).step()).isEqualTo(step);
        assertThat(result.verified()).isFalse();
    }

    static void assertRefused(RegistrationResult result, Step step) {
        assertThat(result).isInstanceOf(RegistrationResult.Refused.class);
        assertThat(((RegistrationResult.Refused) result).step()).isEqualTo(step);
        assertThat(result.registered()).isFalse();
    }
}
