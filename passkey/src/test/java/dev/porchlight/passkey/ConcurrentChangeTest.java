// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static dev.porchlight.passkey.HandmadePasskey.BE;
import static dev.porchlight.passkey.HandmadePasskey.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.store.CredentialRecord.Flags;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.CredentialStore.Use;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.passkey.store.SqlCredentialStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes to a passkey between reading it and recording its use. */
class ConcurrentChangeTest {
    private final Stage stage = Stage.on(TestDatabase.SQLITE);
    private final CredentialStore store = new SqlCredentialStore(stage.database);
    private final HandmadePasskey passkey = new HandmadePasskey("action");
    private boolean backupEligible;

    @ParameterizedTest
    @EnumSource
    void a_passkey_removed_during_the_login_is_refused(SignCountPolicy policy) {
        AuthenticationResult result = signIn(policy, before -> before.remove("alice", passkey.id, true), 1);

        assertThat(result)
                .isEqualTo(new AuthenticationResult.Refused(Step.CREDENTIAL_KNOWN, "removed during the login"));
    }

    @Test
    void a_count_that_a_concurrent_login_has_passed_is_refused() {
        AuthenticationResult result = signIn(SignCountPolicy.REJECT, this::anotherLogin, 5);

        assertThat(((AuthenticationResult.Refused) result).step()).isEqualTo(Step.SIGN_COUNT);
        assertThat(store.find(passkey.id).signCount()).isEqualTo(9);
    }

    @Test
    void a_count_that_a_concurrent_login_has_passed_is_flagged() {
        AuthenticationResult result = signIn(SignCountPolicy.FLAG, this::anotherLogin, 5);

        assertThat(((AuthenticationResult.Verified) result).signCountRegressed())
                .isTrue();
        assertThat(store.find(passkey.id).signCount()).isEqualTo(9);
    }

    @ParameterizedTest
    @CsvSource({"true, true", "false, false"})
    void by_default_only_synced_passkeys_may_lose_the_race_for_the_count(boolean eligible, boolean accepted) {
        backupEligible = eligible;

        AuthenticationResult result = signIn(SignCountPolicy.AUTO, this::anotherLogin, 5);

        assertThat(result.verified()).isEqualTo(accepted);
    }

    private void anotherLogin(CredentialStore before) {
        before.advance(passkey.id, new Use(9, Instant.EPOCH, backupEligible, false));
    }

    private AuthenticationResult signIn(SignCountPolicy policy, Consumer<CredentialStore> action, long count) {
        store.add(passkey.recordOf("alice", 0).withFlags(new Flags(backupEligible, false, null, null, null)), 20);
        PasskeyService service = PasskeyService.builder(
                        Stage.config().toBuilder().signCountPolicy(policy).build(),
                        stage.database,
                        new MemoryChallengeStore())
                .credentialStore(interrupted(action))
                .build();
        return service.finishAuthentication(
                "alice", passkey.respond(service.startAuthentication("alice"), UP | (backupEligible ? BE : 0), count));
    }

    /** Wraps the store and runs an action just before a use is recorded. */
    private CredentialStore interrupted(Consumer<CredentialStore> action) {
        return (CredentialStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {CredentialStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("advance")) {
                        action.accept(store);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
