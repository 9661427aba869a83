// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.remote.Web;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class EmailVerificationTest {
    @Nested
    class OnSqlite extends EmailVerificationContract {
        @Override
        TestDatabase database() {
            return TestDatabase.SQLITE;
        }
    }

    @Nested
    class OnPostgres extends EmailVerificationContract {
        @Override
        TestDatabase database() {
            return TestDatabase.POSTGRES;
        }
    }

    @Test
    void no_link_is_sent_without_a_mail_server() {
        try (Service service = Service.on(TestDatabase.SQLITE, "PROFILE_EDITABLE", "email")) {
            Web user = service.newUser().enroll().bySession();

            String profile = user.patch("/auth/profile", "{\"email\":\"ada@example.com\"}")
                    .expect(200)
                    .body();
            user.post("/auth/profile/email/link").expect(204);

            assertThat(profile).doesNotContain("canVerify");
            assertThat(service.rows("porchlight_outbox")).isEmpty();
            assertThat(service.rows("porchlight_sealed_entry")).noneMatch(row -> row.startsWith("email "));
        }
    }
}
