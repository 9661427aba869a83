// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class MailTest {
    @Nested
    class OnSqlite extends MailContract {
        @Override
        TestDatabase database() {
            return TestDatabase.SQLITE;
        }
    }

    @Nested
    class OnPostgres extends MailContract {
        @Override
        TestDatabase database() {
            return TestDatabase.POSTGRES;
        }
    }

    @Test
    void nothing_is_sent_without_a_mail_server() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            service.admin()
                    .post("/admin/enrollments", "{\"userId\":\"ada\",\"email\":\"a@b.example\",\"send\":true}")
                    .expectProblem(409, "mail_off");
            service.admin().post("/admin/mail/test", "{\"to\":\"a@b.example\"}").expectProblem(409, "mail_off");
            assertThat(service.admin().get("/admin/mail").expect(200).body())
                    .isEqualTo("{\"pending\":0,\"deliveries\":[]}");
        }
    }
}
