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

/** A sealed row that was changed in the database cannot sign in (T18). */
class RowIntegrityTest {
    private static final byte[] KEY = "a key of thirty-two bytes, or so".getBytes(UTF_8);

    private final SoftBrowser own = Stage.browser();
    private final SoftBrowser other = Stage.browser();

    @ParameterizedTest
    @EnumSource
    void T18_two_rows_with_swapped_users_are_refused(TestDatabase database) {
        Stage stage = sealing(Stage.on(database).database, KEY);
        String first = stage.register("alice", own).credentialId();
        String second = stage.register("mallory", other).credentialId();
        assertThat(stage.signIn("alice", own).verified()).isTrue();

        Sql sql = new Sql(stage.database);
        sql.update("UPDATE passkey_credential SET user_id = 'alice' WHERE credential_id = ?", second);
        sql.update("UPDATE passkey_credential SET user_id = 'mallory' WHERE credential_id = ?", first);

        assertRefused(stage.signIn("alice", other), Step.ROW_INTEGRITY);
        assertRefused(stage.signIn("mallory", own), Step.ROW_INTEGRITY);
        assertRefused(stage.signIn(other), Step.ROW_INTEGRITY);
        assertThat(new SqlCredentialStore(stage.database).find(second).details().lastUsedAt())
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
    void T18_a_row_with_a_changed_sealed_value_is_refused(String change) {
        Stage stage = sealing(Stage.on(TestDatabase.SQLITE).database, KEY);
        stage.register("alice", own);

        new Sql(stage.database).update("UPDATE passkey_credential SET " + change);

        assertRefused(stage.signIn(own), Step.ROW_INTEGRITY);
    }

    @Test
    void T18_the_seal_of_another_row_is_refused() {
        Stage stage = sealing(Stage.on(TestDatabase.SQLITE).database, KEY);
        stage.register("alice", own);
        stage.register("mallory", other);

        new Sql(stage.database).update("UPDATE passkey_seal SET seal = (SELECT MIN(seal) FROM passkey_seal)");

        assertThat(stage.signIn("alice", own).verified())
                .isNotEqualTo(stage.signIn("mallory", other).verified());
    }

    @Test
    void a_sealed_passkey_signs_in_repeatedly() {
        Stage stage = sealing(Stage.on(TestDatabase.SQLITE).database, KEY);
        String id = stage.register("alice", own).credentialId();
        stage.service.rename("alice", id, "my key");

        for (int i = 0; i < 3; i++) {
            assertThat(stage.signIn("alice", own).verified()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void an_unsealed_passkey_is_refused_until_it_is_sealed(TestDatabase database) {
        Stage before = Stage.on(database);
        before.register("alice", own);
        before.register("bob", other);
        Stage stage = sealing(before.database, KEY);
        assertRefused(stage.signIn("alice", own), Step.ROW_INTEGRITY);

        assertThat(stage.service.sealPasskeys()).isEqualTo(2);
        assertThat(stage.service.sealPasskeys()).isZero();

        assertThat(stage.signIn("alice", own).verified()).isTrue();
        assertThat(stage.signIn(other).verified()).isTrue();
    }

    @Test
    void sealing_does_not_replace_a_wrong_seal() {
        Stage stage = sealing(Stage.on(TestDatabase.SQLITE).database, KEY);
        stage.register("alice", own);
        new Sql(stage.database).update("UPDATE passkey_credential SET user_id = 'mallory'");

        assertThat(stage.service.sealPasskeys()).isZero();

        assertRefused(stage.signIn("mallory", own), Step.ROW_INTEGRITY);
    }

    @Test
    void sealing_continues_after_the_first_batch() {
        Stage stage = sealing(Stage.on(TestDatabase.SQLITE).database, KEY);
        var store = new SqlCredentialStore(stage.database);
        for (int i = 0; i < 1_001; i++) {
            store.add(row("id" + i), 2_000);
        }

        assertThat(stage.service.sealPasskeys()).isEqualTo(1_001);
        assertThat(store.unsealed(1)).isEmpty();
    }

    @Test
    void a_seal_by_another_key_is_refused() {
        Stage stage = sealing(Stage.on(TestDatabase.SQLITE).database, KEY);
        stage.register("alice", own);

        assertRefused(sealing(stage.database, new byte[32]).signIn("alice", own), Step.ROW_INTEGRITY);
    }

    @Test
    void rows_are_neither_sealed_nor_checked_without_a_key() {
        Stage stage = Stage.on(TestDatabase.SQLITE);
        assertThat(stage.register("alice", own).seal()).isNull();
        new Sql(stage.database).update("INSERT INTO passkey_seal SELECT credential_id, 'x' FROM passkey_credential");

        assertThat(stage.signIn("alice", own).verified()).isTrue();
        assertThatThrownBy(stage.service::sealPasskeys).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_passkey_that_is_removed_leaves_no_seal() {
        Stage stage = sealing(Stage.on(TestDatabase.SQLITE).database, KEY);
        String id = stage.register("alice", own).credentialId();

        stage.service.remove("alice", id, true);

        assertThat(new Sql(stage.database).query("SELECT seal FROM passkey_seal", row -> row.getString(1)))
                .isEmpty();
    }

    @Test
    void a_leftover_seal_is_not_used_for_a_new_row() {
        Stage stage = Stage.on(TestDatabase.SQLITE);
        new Sql(stage.database).update("INSERT INTO passkey_seal VALUES (?, 'left')", "again");

        new SqlCredentialStore(stage.database).add(row("again"), 20);

        assertThat(new SqlCredentialStore(stage.database).unsealed(10)).hasSize(1);
    }

    @Test
    void a_short_key_is_refused() {
        assertThatThrownBy(() -> PasskeyService.builder(
                                Stage.config(), Stage.on(TestDatabase.SQLITE).database, new MemoryChallengeStore())
                        .rowIntegrityKey(new byte[31]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static CredentialRecord row(String id) {
        return CredentialRecord.of(id, "alice", "{}", 0, Stage.ORIGIN);
    }

    private static Stage sealing(DataSource database, byte[] key) {
        return Stage.on(database, null).with(parts -> parts.rowIntegrityKey(key));
    }
}
