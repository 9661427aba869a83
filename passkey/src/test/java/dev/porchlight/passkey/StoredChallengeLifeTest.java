// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.store.ChallengeStore;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.StoredChallenge;
import org.junit.jupiter.api.Test;

/** The same tests with a challenge store, and its keys. */
class StoredChallengeLifeTest extends ChallengeLifeTest {
    private final TestClock clock = new TestClock();

    @Override
    Stage stage() {
        return Stage.on(database, new MemoryChallengeStore(clock));
    }

    @Override
    int challengeBytes() {
        return 32;
    }

    @Override
    PasskeyService failing(Stage working) {
        ChallengeStore broken = new ThreeOperations() {
            @Override
            public StoredChallenge getChallenge(String userId) {
                return working.challenges.getChallenge(userId);
            }

            @Override
            public void clearChallenge(String userId) {
                throw new IllegalStateException("out of order");
            }

            @Override
            public void setChallenge(String userId, String challenge, long expiresAt) {
                throw new IllegalStateException("out of order");
            }
        };
        return Stage.on(working.database, broken).service;
    }

    @Test
    void options_fail_when_the_store_fails() { // T11
        assertThatThrownBy(() -> failing(stage).startAuthentication("p11")).isInstanceOf(StorageException.class);
    }

    @Test
    void a_usernameless_challenge_is_stored_under_a_tilde_and_itself() {
        String challenge = service.startAuthentication().challenge();

        assertThat(stage.challenges.getChallenge("~" + challenge).challenge()).isEqualTo(challenge);
    }

    @Test
    void a_users_challenge_is_stored_under_the_user_id() {
        assertThat(service.startAuthentication("keyed").challenge())
                .isEqualTo(stage.challenges.getChallenge("keyed").challenge());
        service.startRegistration("keyed2");
        assertThat(stage.challenges.getChallenge("keyed2").expiresAt()).isEqualTo(stage.clock.millis() + 300_000);
    }

    @Test
    void a_challenge_stored_by_the_application_is_accepted() {
        var passkey = new HandmadePasskey("own");
        new SqlCredentialStore(database).add(passkey.recordOf("own", 0), 20);
        stage.challenges.setChallenge("own", "b3duIGNoYWxsZW5nZQ", stage.clock.millis() + 1_000);

        assertThat(service.finishAuthentication("own", passkey.respond("b3duIGNoYWxsZW5nZQ", 1, 1, null))
                        .verified())
                .isTrue();
    }
}
