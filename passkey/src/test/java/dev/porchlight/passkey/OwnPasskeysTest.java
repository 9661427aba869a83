// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore.Removal;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.testkit.SoftAuthenticator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Management of a user's passkeys, on every database. */
class OwnPasskeysTest {

    @ParameterizedTest
    @EnumSource
    void a_passkey_can_be_registered_used_renamed_and_removed(TestDatabase database) {
        Stage stage = Stage.on(database);
        var phone = Stage.browser(SoftAuthenticator.syncedPasskeys());
        var key = Stage.browser(SoftAuthenticator.securityKey());

        CredentialRecord onPhone = stage.register("alice", phone);
        CredentialRecord onKey = stage.register("alice", key);
        assertThat(onPhone.backupEligible()).isTrue();
        assertThat(onPhone.flags().discoverable()).isTrue();
        assertThat(onPhone.details().createdAt()).isEqualTo(stage.clock.instant());
        assertThat(onPhone.publicKey())
                .matches("\\{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"[^\"]{43}\",\"y\":\"[^\"]{43}\"\\}");
        assertThat(onKey.authenticator().aaguid()).hasSize(36);
        assertThat(stage.passkeys("alice")).containsExactlyInAnyOrder(onPhone, onKey);

        assertThat(stage.signIn("alice", phone).verified()).isTrue();
        assertThat(stage.signIn("alice", phone).verified()).isTrue();
        assertThat(stage.signIn("alice", key).verified()).isTrue();
        assertThat(stage.signIn(key).verified()).isTrue();

        PasskeyService service = stage.service;
        assertThat(service.rename("alice", onKey.credentialId(), "blue key")).isTrue();
        assertThat(service.rename("bob", onKey.credentialId(), "mine")).isFalse();
        for (String nobodys : new String[] {"", "\0", "a b", "x".repeat(1365)}) {
            assertThat(service.rename("alice", nobodys, "x")).isFalse();
            assertThat(service.remove("alice", nobodys, true)).isEqualTo(Removal.NOT_FOUND);
        }
        assertThat(service.remove("bob", onKey.credentialId(), true)).isEqualTo(Removal.NOT_FOUND);
        assertThat(service.remove("alice", onPhone.credentialId(), false)).isEqualTo(Removal.REMOVED);
        assertThat(service.remove("alice", onKey.credentialId(), false)).isEqualTo(Removal.LAST);
        assertThat(service.passkeys("alice")).singleElement().satisfies(left -> {
            assertThat(left.details().name()).isEqualTo("blue key");
            assertThat(left.signCount()).isEqualTo(3);
            assertThat(left.details().lastUsedAt()).isEqualTo(stage.clock.instant());
        });
        String stale = service.startAuthentication("alice").toJson();
        assertThat(service.remove("alice", onKey.credentialId(), true)).isEqualTo(Removal.REMOVED);
        assertThat(service.finishAuthentication("alice", key.get(stale)))
                .isEqualTo(new AuthenticationResult.Refused(
                        Step.CREDENTIAL_KNOWN,
                        "expected a registered passkey, found "
                                + onKey.credentialId().substring(0, 8) + "…, not registered"));
    }

    @ParameterizedTest
    @EnumSource
    void the_longest_credential_id_can_be_registered(TestDatabase database) {
        Stage stage = Stage.on(database);
        var browser = Stage.browser(
                SoftAuthenticator.builder().credentialIdLength(1023).build());

        assertThat(stage.register("alice", browser).credentialId()).hasSize(1364);
        assertThat(stage.signIn("alice", browser).verified()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "alice@example.com", "~tilde", "Grüße \ud83d\udd11", "' OR 1=1 --", "a b", "\u202e"})
    void any_printable_text_is_a_valid_user_id(String userId) {
        Stage stage = Stage.on(TestDatabase.SQLITE);
        var browser = Stage.browser();
        stage.register(userId, browser);

        assertThat(stage.signIn(userId, browser).verified()).isTrue();
        assertThat(((AuthenticationResult.Verified) stage.signIn(browser))
                        .assertion()
                        .userId())
                .isEqualTo(userId);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\nb", "\u0000", "a\u007f", "\u0085", "\ud800"})
    void an_invalid_user_id_is_refused(String userId) {
        PasskeyService service = Stage.on(TestDatabase.SQLITE).service;

        assertThatThrownBy(() -> service.startRegistration(userId)).isInstanceOf(InvalidTextException.class);
        assertThatThrownBy(() -> service.finishRegistration(userId, "{}")).isInstanceOf(InvalidTextException.class);
        assertThatThrownBy(() -> service.startAuthentication(userId)).isInstanceOf(InvalidTextException.class);
        assertThatThrownBy(() -> service.finishAuthentication(userId, "{}")).isInstanceOf(InvalidTextException.class);
        assertThatThrownBy(() -> service.passkeys(userId)).isInstanceOf(InvalidTextException.class);
        assertThatThrownBy(() -> service.rename("alice", "id", userId)).isInstanceOf(InvalidTextException.class);
    }

    @Test
    void the_length_limit_counts_code_points() {
        PasskeyService service = Stage.on(TestDatabase.SQLITE).service;

        assertThatCode(() -> service.startAuthentication("\ud83d\udd11".repeat(256)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> service.startAuthentication("a".repeat(257)))
                .isInstanceOfSatisfying(
                        InvalidTextException.class, e -> assertThat(e.field()).isEqualTo("userId"));
    }

    @Test
    void the_migration_sql_is_a_constant_of_the_service() {
        assertThat(PasskeyService.WEBAUTHN_MIGRATION_SQL).isEqualTo(Migration.WEBAUTHN_MIGRATION_SQL);
    }
}
