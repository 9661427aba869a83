// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static dev.porchlight.passkey.ChallengeLifeTest.assertRefused;
import static dev.porchlight.passkey.HandmadePasskey.UP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.ImportConflictException;
import dev.porchlight.passkey.store.PasskeyImport;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A passkey imported as a row with five columns, for a user who never registered here. */
@Tag("slow")
class ImportedPasskeyTest {
    private static final String OLD_HANDLE = "b2xk";

    private final HandmadePasskey passkey = new HandmadePasskey("imported");
    private Stage stage;
    private PasskeyService service;

    private void importInto(TestDatabase database) {
        stage = Stage.on(database);
        service = stage.service;
        new Sql(stage.database)
                .update(
                        "INSERT INTO passkey_credential (credential_id, user_id, public_key, sign_count, origin)"
                                + " VALUES (?, 'alice', ?, 4, ?)",
                        passkey.id,
                        passkey.jwk(),
                        Stage.ORIGIN);
    }

    @ParameterizedTest
    @EnumSource
    void an_imported_passkey_signs_in_with_a_user_id_and_any_handle(TestDatabase database) {
        importInto(database);

        assertThat(signIn(5, null).verified()).isTrue();
        assertThat(signIn(6, OLD_HANDLE).verified()).isTrue();
        assertRefused(signIn(6, OLD_HANDLE), Step.SIGN_COUNT);
        CredentialRecord used = service.passkeys("alice").get(0);
        assertThat(used.signCount()).isEqualTo(6);
        assertThat(used.details().lastUsedAt()).isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void an_imported_jwk_may_have_other_members(TestDatabase database) throws ImportConflictException {
        stage = Stage.on(database);
        service = stage.service;
        String jwk =
                passkey.jwk().replace("{", "{\"alg\":\"ES256\",\"kid\":\"7\",\"key_ops\":[\"verify\"],\"ext\":true,");

        assertThat(imported(jwk).passkeys()).isEqualTo(1);
        assertThat(imported(jwk).known()).isEqualTo(1);

        assertThat(service.passkeys("alice").get(0).publicKey()).isEqualTo(passkey.jwk());
        assertThat(signIn(5, null).verified()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"no JWK", "{}", "{\"kty\":\"RSA\"}", "{\"alg\":\"ES384\",", "{\"alg\":7,", "{\"d\":\"AA\","})
    void an_invalid_imported_key_is_refused_with_its_place(String start) {
        stage = Stage.on(TestDatabase.SQLITE);
        String jwk = start.endsWith(",") ? start + passkey.jwk().substring(1) : start;

        assertThatThrownBy(() -> imported(jwk))
                .isInstanceOf(ImportConflictException.class)
                .hasMessageStartingWith("row 1: ");
        assertThat(stage.passkeys("alice")).isEmpty();
    }

    private PasskeyImport.Counts imported(String jwk) throws ImportConflictException {
        try (PasskeyImport target = PasskeyImport.into(stage.database)) {
            target.add(CredentialRecord.of(passkey.id, "alice", jwk, 4, Stage.ORIGIN), "row 1");
            return target.finish();
        }
    }

    /** Section 7.2, step 6: without a user id the handle must identify the user, but it is unknown. */
    @ParameterizedTest
    @EnumSource
    void an_imported_passkey_without_its_handle_needs_a_user_id(TestDatabase database) {
        importInto(database);

        assertRefused(signInUnnamed(5, OLD_HANDLE), Step.USER_HANDLE);
        assertRefused(signInUnnamed(5, null), Step.USER_HANDLE);
    }

    @ParameterizedTest
    @EnumSource
    void an_imported_passkey_with_its_handle_signs_in_without_a_user_id(TestDatabase database) {
        importInto(database);
        new Sql(stage.database).update("UPDATE passkey_credential SET user_handle = ?", OLD_HANDLE);

        assertThat(signInUnnamed(5, OLD_HANDLE))
                .isInstanceOfSatisfying(AuthenticationResult.Verified.class, verified -> {
                    assertThat(verified.assertion().userId()).isEqualTo("alice");
                });
        assertRefused(signInUnnamed(6, "bmV3"), Step.USER_HANDLE);
        assertRefused(signIn(6, "bmV3"), Step.USER_HANDLE);
    }

    @ParameterizedTest
    @EnumSource
    void a_handle_created_here_is_not_used_for_an_imported_passkey(TestDatabase database) {
        importInto(database);
        String fresh = service.startRegistration("alice").user().userHandle();

        assertRefused(signInUnnamed(5, fresh), Step.USER_HANDLE);
        assertThat(signIn(5, OLD_HANDLE).verified()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void an_imported_passkey_is_offered_excluded_renamed_and_removed_like_others(TestDatabase database) {
        importInto(database);
        var descriptor = new CredentialDescriptor(passkey.id, List.of());

        assertThat(service.startAuthentication("alice").allowCredentials()).containsExactly(descriptor);
        assertThat(service.startRegistration("alice").excludeCredentials()).containsExactly(descriptor);
        assertThat(service.rename("alice", passkey.id, "the old one")).isTrue();
        stage.register("alice", Stage.browser());
        assertThat(signIn(5, OLD_HANDLE).verified()).isTrue();
        service.remove("alice", passkey.id, false);
        assertRefused(signIn(6, OLD_HANDLE), Step.CREDENTIAL_KNOWN);
    }

    private AuthenticationResult signIn(long count, String handle) {
        String challenge = service.startAuthentication("alice").challenge();
        return service.finishAuthentication("alice", passkey.respond(challenge, UP, count, handle));
    }

    private AuthenticationResult signInUnnamed(long count, String handle) {
        String challenge = service.startAuthentication().challenge();
        return service.finishAuthentication(passkey.respond(challenge, UP, count, handle));
    }
}
