// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.cli.CliRun;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A row of a passkey with impossible values, beside one that is fine. */
class UnreadableRowTest {
    private static final String ADD =
            "INSERT INTO passkey_credential (credential_id, user_id, public_key, sign_count, origin)"
                    + " VALUES (?, ?, ?, ?, 'http://localhost')";

    @TempDir
    Path directory;

    @Test
    void an_impossible_row_is_skipped_counted_and_logged_and_the_other_passkey_signs_in() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            Person ada = service.stranger().enrol();
            service.behindItsBack(sql -> sql.update(ADD, "aW1wb3NzaWJsZQ", ada.userId(), "{}", 0x1_0000_0000L));

            Web signedIn = ada.byToken();
            assertThat(signedIn.get(Person.CREDENTIALS).expect(200).json().objects("credentials"))
                    .hasSize(1);

            assertThat(service.metrics()).contains("passkey_unreadable_rows_total 2");
            assertThat(service.logs())
                    .containsOnlyOnce("a stored passkey cannot be read and is skipped")
                    .contains("\"credential\":\"aW1wb3Nz…\"", "unsigned 32-bit number: 4294967296");

            CliRun listed = CliRun.of(
                    Map.of(
                            "DATABASE_URL",
                            service.databaseUrl(),
                            "SESSION_SECRET",
                            Service.SECRET,
                            "DATA_DIR",
                            directory.toString()),
                    "credentials",
                    "list",
                    ada.userId());
            assertThat(listed.out()).contains(ada.credentialId());
            assertThat(listed.err()).contains("the passkey aW1wb3NzaWJsZQ of " + ada.userId() + " cannot be read");
        }
    }

    @Test
    void a_key_that_cannot_be_parsed_leaves_options_list_and_other_logins_alone() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            Person ada = service.stranger().enrol();
            service.behindItsBack(sql -> sql.update(ADD, "aW1wb3NzaWJsZQ", ada.userId(), "no JWK at all", 0L));

            assertThat(ada.byToken().get(Person.CREDENTIALS).expect(200).json().objects("credentials"))
                    .hasSize(2);
        }
    }
}
