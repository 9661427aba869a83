// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static dev.porchlight.passkey.ChallengeLifeTest.assertRefused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.testkit.SoftBrowser;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A row that somebody changed in the database does not sign anybody in, where rows are sealed (T18). */
class RowIntegrityTest {
    private static final byte[] KEY = "a key of thirty-two bytes, or so".getBytes(UTF_8);

    private final SoftBrowser hers = Stage.browser();
    private final SoftBrowser his = Stage.browser();

    @ParameterizedTest
    @EnumSource
    void T18_refuses_two_rows_whose_users_were_swapped(TestDatabase database) {
        Stage stage = sealing(Stage.on(database).database, KEY);
        String first = stage.register("alice", hers).credentialId();
        String second = stage.register("mallory", his).credentialId();
        assertThat(stage.signIn("alice", hers).verified()).isTrue();

        Sql sql = new Sql(stage.database);
        sql.update("UPDATE passkey_credential SET user_id = 'alice' WHERE credential_id = ?", second);
        sql.update("UPDATE passkey_credential SET user_id = 'mallory' WHERE credential_id = ?", first);

        assertRefused(stage.signIn("alice", his), Step.ROW_INTEGRITY);
        assertRefused(stage.signIn("mallory", hers), Step.ROW_INTEGRITY);
        assertRefused(stage.signIn(his), Step.ROW_INTEGRITY);
        assertThat(new SqlCredentialStore(stage.database).find(second).lastUsedAt())
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "user_id = 'alice2'",
                "public_key = public_key || ' '",
                "origin = 'https://other.example'",
                "user_handle = NULL",
                "verification_required = NULL",
                "verification_required = 1"
            })
    void T18_refuses_a_row_of_which_anything_that_a_login_trusts_was_changed(String change) {
        Stage stage = sealing(Stage.on(TestDatabase.SQLITE).database, KEY);
        stage.register("alice", hers);

        new Sql(stage.database).update("UPDATE passkey_credential SET " + change);

        assertRefused(stage.signIn(hers), Step.ROW_INTEGRITY);
    }

    @Test
    void T18_refuses_a_seal_of_another_row() {
        Stage stage = sealing(Stage.on(TestDatabase.SQLITE).database, KEY);
        stage.register("alice", hers);
        stage.register("mallory", his);

        new Sql(stage.database).update("UPDATE passkey_seal SET seal = (SELECT MIN(seal) FROM passkey_seal)");

        assertThat(stage.signIn("alice", hers).verified())
                .isNotEqualTo(stage.signIn("mallory", his).verified());
    }

    @Test
    void signs_in_again_and_again_since_what_changes_with_use_is_not_sealed() {
        Stage stage = sealing(Stage.on(TestDatabase.SQLITE).database, KEY);
        String id = stage.register("alice", hers).credentialId();
        stage.service.rename("alice", id, "my key");

        for (int i = 0; i < 3; i++) {
            assertThat(stage.signIn("alice", hers).verified()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refuses_a_passkey_from_before_until_it_is_sealed(TestDatabase database) {
        Stage before = Stage.on(database);
        before.register("alice", hers);
        before.register("bob", his);
        Stage stage = sealing(before.database, KEY);
        assertRefused(stage.signIn("alice", hers), Step.ROW_INTEGRITY);

        assertThat(stage.service.sealPasskeys()).isEqualTo(2);
        assertThat(stage.service.sealPasskeys()).isZero();

        assertThat(stage.signIn("alice", hers).verified()).isTrue();
        assertThat(stage.signIn(his).verified()).isTrue();
    }

    @Test
    void does_not_make_a_row_right_that_has_a_seal_which_is_wrong() {
        Stage stage = sealing(Stage.on(TestDatabase.SQLITE).database, KEY);
        stage.register("alice", hers);
        new Sql(stage.database).update("UPDATE passkey_credential SET user_id = 'mallory'");

        assertThat(stage.service.sealPasskeys()).isZero();

        assertRefused(stage.signIn("mallory", hers), Step.ROW_INTEGRITY);
    }

    @Test
    void seals_more_passkeys_than_are_read_at_once() {
        Stage stage = sealing(Stage.on(TestDatabase.SQLITE).database, KEY);
        var store = new SqlCredentialStore(stage.database);
        for (int i = 0; i < 1_001; i++) {
            store.add(row("id" + i), 2_000);
        }

        assertThat(stage.service.sealPasskeys()).isEqualTo(1_001);
        assertThat(store.unsealed(1)).isEmpty();
    }

    @Test
    void another_key_holds_for_nothing() {
        Stage stage = sealing(Stage.on(TestDatabase.SQLITE).database, KEY);
        stage.register("alice", hers);

        assertRefused(sealing(stage.database, new byte[32]).signIn("alice", hers), Step.ROW_INTEGRITY);
    }

    @Test
    void rows_are_not_sealed_and_not_judged_unless_there_is_a_key() {
        Stage stage = Stage.on(TestDatabase.SQLITE);
        assertThat(stage.register("alice", hers).seal()).isNull();
        new Sql(stage.database).update("INSERT INTO passkey_seal SELECT credential_id, 'x' FROM passkey_credential");

        assertThat(stage.signIn("alice", hers).verified()).isTrue();
        assertThatThrownBy(stage.service::sealPasskeys).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_passkey_that_is_removed_leaves_no_seal() {
        Stage stage = sealing(Stage.on(TestDatabase.SQLITE).database, KEY);
        String id = stage.register("alice", hers).credentialId();

        stage.service.remove("alice", id, true);

        assertThat(new Sql(stage.database).query("SELECT seal FROM passkey_seal", row -> row.getString(1)))
                .isEmpty();
    }

    @Test
    void a_seal_that_a_deleted_row_left_is_not_taken_for_that_of_a_new_one() {
        Stage stage = Stage.on(TestDatabase.SQLITE);
        new Sql(stage.database).update("INSERT INTO passkey_seal VALUES (?, 'left')", "again");

        new SqlCredentialStore(stage.database).add(row("again"), 20);

        assertThat(new SqlCredentialStore(stage.database).unsealed(10)).hasSize(1);
    }

    @Test
    void refuses_a_key_that_is_too_short() {
        assertThatThrownBy(() -> PasskeyService.builder(
                                Stage.config(), Stage.on(TestDatabase.SQLITE).database, new MemoryChallengeStore())
                        .rowIntegrityKey(new byte[31]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static CredentialRecord row(String id) {
        return CredentialRecord.builder(id, "alice", "{}", 0, Stage.ORIGIN).build();
    }

    private static Stage sealing(DataSource database, byte[] key) {
        return Stage.on(database, null).with(parts -> parts.rowIntegrityKey(key));
    }
}
