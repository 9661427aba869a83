// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static dev.porchlight.passkey.ChallengeLifeTest.assertRefused;
import static dev.porchlight.passkey.HandmadePasskey.UP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore.Removal;
import dev.porchlight.passkey.store.PasskeyExport;
import dev.porchlight.passkey.store.UnreadableRow;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A row with impossible values, inserted directly into the table next to valid passkeys. */
class UnreadableRowTest {
    private static final String ADD =
            "INSERT INTO passkey_credential (credential_id, user_id, public_key, sign_count, origin)"
                    + " VALUES (?, 'alice', ?, ?, 'https://example.com')";

    private final HandmadePasskey passkey = new HandmadePasskey("readable");
    private final HandmadePasskey other = new HandmadePasskey("unreadable");
    private final List<UnreadableRow> reported = new ArrayList<>();
    private Stage stage;

    static Stream<Arguments> impossibleRows() {
        return Stream.of(TestDatabase.values())
                .flatMap(database -> Stream.of(
                        Arguments.of(database, "dW5yZWFkYWJsZQ", 0x1_0000_0000L),
                        Arguments.of(database, "dW5yZWFkYWJsZQ", -1L),
                        Arguments.of(database, "A".repeat(1_365), 0L),
                        Arguments.of(database, "", 0L)))
                // MariaDB's column does not accept such an id.
                .filter(row -> row.get()[0] != TestDatabase.MARIADB || ((String) row.get()[1]).length() < 1_365);
    }

    @ParameterizedTest
    @MethodSource("impossibleRows")
    void an_impossible_row_is_skipped_and_reported_and_the_other_passkey_works(
            TestDatabase database, String id, long signCount) {
        open(database);
        sql().update(ADD, id, other.jwk(), signCount);

        RequestOptions options = stage.service.startAuthentication("alice");
        assertThat(options.allowCredentials())
                .extracting(CredentialDescriptor::id)
                .containsExactly(passkey.id);
        assertThat(stage.service.startRegistration("alice").excludeCredentials())
                .hasSize(1);
        assertThat(stage.service.passkeys("alice"))
                .extracting(CredentialRecord::credentialId)
                .containsExactly(passkey.id);
        assertThat(stage.service.passkeyCount("alice")).isEqualTo(2);
        assertThat(stage.service
                        .finishAuthentication("alice", passkey.respond(options, UP, 5))
                        .verified())
                .isTrue();

        assertThat(reported).hasSize(3).allSatisfy(row -> {
            assertThat(row.credentialId()).isEqualTo(id);
            assertThat(row.userId()).isEqualTo("alice");
            assertThat(row.fault()).isNotBlank();
        });
    }

    @Test
    void a_failing_listener_does_not_break_logins_with_other_passkeys() {
        open(TestDatabase.SQLITE);
        sql().update(ADD, other.id, other.jwk(), -1L);
        stage.listen(config -> config, new CeremonyListener() {
            @Override
            public void unreadable(UnreadableRow row) {
                throw new IllegalStateException("full");
            }
        });
        List<String> uncaught = new ArrayList<>();
        Thread thread = Thread.currentThread();
        var handler = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler((where, what) -> uncaught.add(what.getMessage()));
        try {
            assertThat(signIn(passkey).verified()).isTrue();
            assertThat(uncaught).containsExactly("full");
        } finally {
            thread.setUncaughtExceptionHandler(handler);
        }
    }

    @Test
    void a_login_with_an_impossible_row_is_refused() {
        open(TestDatabase.SQLITE);
        sql().update(ADD, other.id, other.jwk(), 0x1_0000_0000L);

        assertRefused(signIn(other), Step.CREDENTIAL_KNOWN);
    }

    @ParameterizedTest
    @EnumSource
    void an_unparsable_key_only_refuses_its_own_login(TestDatabase database) {
        open(database);
        sql().update(ADD, other.id, "no JWK at all", 0L);

        assertThat(stage.service.passkeys("alice")).hasSize(2);
        assertThat(signIn(passkey).verified()).isTrue();
        assertRefused(signIn(other), Step.PUBLIC_KEY);
    }

    @ParameterizedTest
    @EnumSource
    void sealing_continues_after_unreadable_rows(TestDatabase database) {
        open(database);
        for (int i = 0; i < 501; i++) { // more than one page of unreadable rows before the readable one
            sql().update(ADD, String.format("0%04d", i), other.jwk(), -1L);
        }
        stage.with(parts -> parts.rowIntegrityKey(new byte[32]).listener(listener()));

        assertThat(stage.service.sealPasskeys()).isEqualTo(1);

        assertThat(reported).extracting(UnreadableRow::credentialId).contains("00000", "00500");
        assertThat(signIn(passkey).verified()).isTrue();
    }

    @Test
    void the_last_readable_passkey_is_kept_and_unreadable_ones_can_be_removed() {
        open(TestDatabase.SQLITE);
        sql().update(ADD, other.id, other.jwk(), -1L);

        assertThat(stage.service.remove("alice", passkey.id, false)).isEqualTo(Removal.LAST);
        assertThat(stage.service.remove("alice", other.id, false)).isEqualTo(Removal.REMOVED);
    }

    @Test
    void an_export_reports_an_unreadable_row() {
        open(TestDatabase.SQLITE);
        sql().update(ADD, other.id, other.jwk(), -1L);

        assertThatThrownBy(() -> new PasskeyExport(stage.database).read(user -> {}, credential -> {}))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("the passkey " + other.id + " of alice cannot be read");
    }

    private void open(TestDatabase database) {
        stage = Stage.on(database);
        stage.listen(config -> config, listener());
        sql().update(ADD, passkey.id, passkey.jwk(), 4L);
    }

    private CeremonyListener listener() {
        return new CeremonyListener() {
            @Override
            public void unreadable(UnreadableRow row) {
                reported.add(row);
            }
        };
    }

    private AuthenticationResult signIn(HandmadePasskey with) {
        return stage.service.finishAuthentication(
                "alice", with.respond(stage.service.startAuthentication("alice"), UP, 9));
    }

    private Sql sql() {
        return new Sql(stage.database);
    }
}
