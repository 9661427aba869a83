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

/** A challenge works once, in time, for one ceremony and one user. */
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

    /** Returns a stage with sealed challenges. */
    Stage stage() {
        return Stage.on(database, null);
    }

    int challengeBytes() {
        return 42;
    }

    @Test
    void an_accepted_response_is_refused_the_second_time() { // T01
        stage.register("p01", browser);
        String response = browser.get(service.startAuthentication("p01").toJson());
        assertThat(service.finishAuthentication("p01", response).verified()).isTrue();

        assertRefused(service.finishAuthentication("p01", response), Step.CHALLENGE_KNOWN);
    }

    @Test
    void a_malleated_copy_of_an_accepted_response_is_refused() { // T30
        stage.register("p30", browser);
        String options = service.startAuthentication("p30").toJson();
        assertThat(service.finishAuthentication("p30", browser.get(options)).verified())
                .isTrue();

        String twin = browser.get(options, mutation(CeremonyType.AUTHENTICATION, "signature-malleated"));
        assertRefused(service.finishAuthentication("p30", twin), Step.CHALLENGE_KNOWN);
    }

    @Test
    void a_valid_response_after_an_invalid_one_is_refused() { // T03
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
    void a_valid_registration_after_an_invalid_one_is_refused() { // T03
        String options = service.startRegistration("p03r").toJson();
        service.finishRegistration(
                "p03r", browser.create(options, mutation(CeremonyType.REGISTRATION, "object-with-a-tail")));

        assertRefused(service.finishRegistration("p03r", browser.create(options)), Step.CHALLENGE_KNOWN);
        assertThat(service.passkeys("p03r")).isEmpty();
    }

    @Test
    void a_login_in_progress_survives_a_hundred_option_requests_by_others() { // T04
        stage.register("p04", browser);
        String options = service.startAuthentication("p04").toJson();
        for (int i = 0; i < 100; i++) {
            service.startAuthentication("p04");
            service.finishAuthentication("p04", new HandmadePasskey("stranger").respond("nonsense", 1, 1, null));
        }

        assertThat(service.finishAuthentication("p04", browser.get(options)).verified())
                .isTrue();
    }

    @Test
    void a_challenge_issued_for_the_other_ceremony_is_refused() { // T05
        var passkey = new HandmadePasskey("p05");
        new SqlCredentialStore(database).add(passkey.recordOf("p05", 0), 20);
        String forRegistration = service.startRegistration("p05").challenge();

        assertRefused(
                service.finishAuthentication("p05", passkey.respond(forRegistration, 1, 1, null)),
                Step.CHALLENGE_PURPOSE);
    }

    @Test
    void a_registration_with_a_login_challenge_is_refused() { // T05
        CreationOptions registration = service.startRegistration("p05r");
        RequestOptions login = service.startAuthentication("p05r");
        String crossed = registration.toJson().replace(registration.challenge(), login.challenge());

        assertRefused(service.finishRegistration("p05r", browser.create(crossed)), Step.CHALLENGE_PURPOSE);
    }

    @Test
    void a_login_with_a_user_id_and_a_usernameless_challenge_is_refused() {
        stage.register("named", browser);
        String response = browser.get(service.startAuthentication().toJson());
        assertRefused(service.finishAuthentication("named", response), Step.CHALLENGE_KNOWN);

        String other = browser.get(service.startAuthentication("named").toJson());
        assertRefused(service.finishAuthentication(other), Step.CHALLENGE_KNOWN);
    }

    @Test
    void every_challenge_is_new() { // T06, T08
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            String challenge = service.startAuthentication().challenge();
            assertThat(Base64.getUrlDecoder().decode(challenge)).hasSize(challengeBytes());
            assertThat(seen.add(challenge.substring(16, 32))).isTrue();
        }
    }

    @Test
    void a_response_is_accepted_until_the_challenge_expires() { // T07
        stage.register("p07", browser);
        String justInTime = browser.get(service.startAuthentication("p07").toJson());
        stage.clock.advance(Duration.ofMinutes(5).minusMillis(1));
        assertThat(service.finishAuthentication("p07", justInTime).verified()).isTrue();

        String tooLate = browser.get(service.startAuthentication("p07").toJson());
        stage.clock.advance(Duration.ofMinutes(5));
        assertRefused(service.finishAuthentication("p07", tooLate), Step.CHALLENGE_IN_TIME);
    }

    @Test
    void the_service_checks_the_expiry_itself() { // T07
        stage.register("p07s", browser);
        ChallengeStore keepsForever = new ThreeOperations() {
            @Override
            public StoredChallenge getChallenge(String userId) {
                StoredChallenge stored = super.getChallenge(userId);
                return stored == null ? null : new StoredChallenge(stored.challenge(), 1);
            }
        };
        PasskeyService other = Stage.on(database, keepsForever).service;

        String response = browser.get(other.startAuthentication("p07s").toJson());
        assertRefused(other.finishAuthentication("p07s", response), Step.CHALLENGE_IN_TIME);
    }

    @Test
    void a_store_with_three_operations_works() {
        Stage three = Stage.on(database, new ThreeOperations());
        three.register("three", browser);

        assertThat(three.signIn("three", browser).verified()).isTrue();
        assertThat(three.signIn(browser.picks("three")).verified()).isTrue();
    }

    @Test
    void a_wrong_challenge_from_the_store_is_refused() {
        stage.register("confused", browser);
        ChallengeStore confused = new ThreeOperations() {
            @Override
            public StoredChallenge takeChallenge(String userId, String challenge) {
                return new StoredChallenge("something-else", Long.MAX_VALUE);
            }
        };
        PasskeyService other = Stage.on(database, confused).service;

        String response = browser.get(other.startAuthentication("confused").toJson());
        assertRefused(other.finishAuthentication("confused", response), Step.CHALLENGE_KNOWN);
    }

    @Test
    void conditional_create_works_only_when_requested() { // T23
        var conditional = new RegistrationRequest(null, null, true);
        String asked = service.startRegistration("p23", conditional).toJson();
        assertThat(service.finishRegistration("p23", browser.create(asked, Mediation.CONDITIONAL)))
                .isInstanceOf(RegistrationResult.Registered.class);

        String notAsked = service.startRegistration("p23b").toJson();
        assertRefused(
                service.finishRegistration("p23b", browser.create(notAsked, Mediation.CONDITIONAL)), Step.USER_PRESENT);
    }

    @Test
    void a_failing_store_fails_the_ceremony() { // T11
        stage.register("p11", browser);
        String response = browser.get(service.startAuthentication("p11").toJson());
        PasskeyService other = failing(stage);

        assertThatThrownBy(() -> other.finishAuthentication("p11", response)).isInstanceOf(StorageException.class);
        assertThat(service.passkeys("p11").get(0).details().lastUsedAt()).isNull();
    }

    @Test
    void a_failing_store_is_not_reported_as_a_refusal() { // T11
        stage.register("p11w", browser);
        String options = service.startAuthentication("p11w").toJson();
        String wrong = browser.get(options, mutation(CeremonyType.AUTHENTICATION, "signed-by-another-key"));

        assertThatThrownBy(() -> failing(stage).finishAuthentication("p11w", wrong))
                .isInstanceOf(StorageException.class);
    }

    /** Returns a service that cannot mark challenges as used. */
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
