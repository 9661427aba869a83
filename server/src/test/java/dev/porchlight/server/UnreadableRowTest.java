// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A passkey row with invalid values beside a valid one. */
class UnreadableRowTest {
    private static final String ADD =
            "INSERT INTO passkey_credential (credential_id, user_id, public_key, sign_count, origin)"
                    + " VALUES (?, ?, ?, ?, 'http://localhost')";
    private static final String ID = "aW1wb3NzaWJsZQ";
    private static final long IMPOSSIBLE_COUNT = 0x1_0000_0000L;
    private static final String SKIPPED = "skipped a stored passkey that cannot be read";

    @TempDir
    Path directory;

    @Test
    void an_impossible_row_is_skipped_counted_and_logged_and_the_other_passkey_signs_in() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            Person ada = service.newUser().enroll();
            service.withSql(sql -> sql.update(ADD, ID, ada.userId(), "{}", IMPOSSIBLE_COUNT));

            Web signedIn = ada.byToken();
            assertThat(signedIn.get(Person.CREDENTIALS).expect(200).json().objects("passkeys"))
                    .hasSize(1);

            assertThat(service.metrics()).contains("passkey_unreadable_rows_total 2");
            assertThat(service.logs())
                    .matches(
                            log -> List.of(1, 2).contains(log.split(SKIPPED, -1).length - 1),
                            "one line, or one for each report")
                    .contains("\"credential\":\"aW1wb3Nz…\"", "unsigned 32-bit number: 4294967296");

            CliRun listed = list(service, ada.userId());
            assertThat(listed.out()).contains(ada.credentialId());
            assertThat(listed.err()).contains("the passkey " + ID + " of " + ada.userId() + " cannot be read");
        }
    }

    @Test
    void a_key_that_cannot_be_parsed_leaves_options_list_and_other_logins_alone() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            Person ada = service.newUser().enroll();
            service.withSql(sql -> sql.update(ADD, ID, ada.userId(), "no JWK at all", 0L));

            assertThat(ada.byToken().get(Person.CREDENTIALS).expect(200).json().objects("passkeys"))
                    .hasSize(2);
        }
    }

    @Test
    void a_user_whose_only_row_is_unreadable_cannot_be_signed_up_again() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            Person ada = service.newUser();
            String earlier = ada.enrollmentToken();
            service.withSql(sql -> sql.update(ADD, ID, ada.userId(), "{}", IMPOSSIBLE_COUNT));

            service.web()
                    .post(
                            "/auth/signup",
                            new JsonObject().put("userId", ada.userId()).toString())
                    .expectProblem(409, "user_exists");
            service.web().bearer(earlier).get(Person.REGISTER_OPTIONS).expectProblem(409, "user_exists");
        }
    }

    @Test
    void an_unreadable_row_counts_toward_the_limit() {
        try (Service service = Service.on(TestDatabase.SQLITE, "MAX_PASSKEYS_PER_USER", "2")) {
            Person ada = service.newUser().enroll();
            service.withSql(sql -> sql.update(ADD, ID, ada.userId(), "{}", IMPOSSIBLE_COUNT));

            ada.byToken().get(Person.REGISTER_OPTIONS).expectProblem(409, "too_many_credentials");
        }
    }

    @Test
    void a_user_whose_only_row_is_unreadable_is_listed_as_a_user() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            service.withSql(sql -> sql.update(ADD, ID, "imported", "{}", IMPOSSIBLE_COUNT));

            CliRun listed = list(service, "imported");
            assertThat(listed.status()).isZero();
            assertThat(listed.out()).isEqualTo("imported has no readable passkey.\n");
        }
    }

    private CliRun list(Service service, String userId) {
        return CliRun.of(
                Map.of(
                        "DATABASE_URL",
                        service.databaseUrl(),
                        "SESSION_SECRET",
                        Service.SECRET,
                        "DATA_DIR",
                        directory.toString()),
                "passkeys",
                "list",
                userId);
    }
}
