// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A failed database: sign-ins are refused with Retry-After, and the service is not ready. */
class StorageGoneTest {
    private static final List<String> TABLES = List.of(
            "passkey_credential",
            "passkey_user",
            "passkey_challenge",
            "passkey_used_challenge",
            "passkey_schema",
            "porchlight_sealed_entry",
            "porchlight_signing_key",
            "porchlight_audit");

    @ParameterizedTest
    @EnumSource
    void T11_without_its_tables_the_service_fails_closed(TestDatabase database) {
        try (Service service = Service.on(database)) {
            Person person = service.newUser().enroll();
            TestResponse login = person.login().expect(200);
            Web byToken = service.web().bearer(login.json().string("token"));
            Web bySession = service.web().with("Cookie", Person.cookie(login));
            String assertion = person.assertion();
            service.withSql(sql -> {
                TABLES.forEach(table -> sql.update("DROP TABLE " + table));
                return null;
            });

            for (TestResponse response : List.of(
                    person.finishLogin(assertion),
                    service.web().get(Person.LOGIN_OPTIONS + Web.user("ada")),
                    service.web().post("/auth/signup", "{\"userId\":\"ada\"}"),
                    service.admin().post("/admin/enrollments", "{\"userId\":\"ada\"}"),
                    byToken.get(Person.CREDENTIALS),
                    byToken.get("/auth/session"),
                    bySession.get("/auth/session"))) {
                response.expectProblem(503, "storage_unavailable");
                assertThat(response.header("Retry-After")).isEqualTo("1");
                assertThat(response.body()).doesNotContain("SQL", "table", "Exception");
            }
            await().untilAsserted(
                            () -> service.web().get("/health/ready").expect(503)); // readiness is cached for a second
            service.web().get("/health/live").expect(200);
        }
    }
}
