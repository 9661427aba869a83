// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.server.storage.Forwarder;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A database that fails while the service runs: requests get 503 until it is back. */
@Tag("slow")
class StorageFaultsTest {
    private static final Pattern ADDRESS = Pattern.compile("127\\.0\\.0\\.1:([0-9]+)/");

    @Test
    void a_full_disk_is_reported_until_space_is_free() {
        try (Service service = Service.at(TestDatabase.SQLITE.freshUrl() + "?max_page_count=128")) {
            TestResponse response = invite(service, 0);
            for (int i = 1; response.status() == 201 && i < 1_000; i++) {
                response = invite(service, i);
            }
            response.expectProblem(503, "storage_full");
            assertThat(response.header("Retry-After")).isEqualTo("1");
            assertThat(service.logs()).contains("\"fault\":\"full\"");
            service.web().get("/health/live").expect(200);

            service.withSql(sql -> sql.update("DELETE FROM porchlight_sealed_entry"));
            invite(service, 2_000).expect(201);
        }
    }

    @Test
    void a_hanging_database_is_not_waited_for_and_used_again_when_it_responds() throws Exception {
        String url = TestDatabase.POSTGRES.freshUrl();
        try (Forwarder way = new Forwarder(port(url));
                Service service = Service.at(at(url, "127.0.0.1:" + way.port()), Service.IMPATIENT)) {
            Person person = service.newUser().enroll();
            String token = person.login().json().string("token");

            way.freeze();
            for (int i = 0; i < 3; i++) {
                service.web().get(Person.LOGIN_OPTIONS + Web.user("ada")).expectProblem(503, "storage_unavailable");
            }
            service.web().get("/health/live").expect(200);
            service.web().get("/health/ready").expect(503);
            // it is unknown now whether its passkey still exists
            service.web().bearer(token).get("/auth/session").expectProblem(503, "storage_unavailable");
            assertThat(service.logs().lines().filter(line -> line.contains("\"storage is unavailable\"")))
                    .hasSizeBetween(1, 4);

            way.thaw();
            await().untilAsserted(() ->
                    service.web().get(Person.LOGIN_OPTIONS + Web.user("ada")).expect(200));
            person.login().expect(200);
        }
    }

    @Test
    void the_next_of_several_hosts_is_used_when_one_fails() throws Exception {
        String url = TestDatabase.POSTGRES.freshUrl();
        try (Forwarder first = new Forwarder(port(url));
                Forwarder second = new Forwarder(port(url));
                Service service = Service.at(
                        at(url, "127.0.0.1:" + first.port() + ",127.0.0.1:" + second.port()), Service.IMPATIENT)) {
            Person person = service.newUser().enroll();

            first.cut();
            await().untilAsserted(() ->
                    service.web().get(Person.LOGIN_OPTIONS + Web.user("ada")).expect(200));
            person.login().expect(200);
        }
    }

    private static TestResponse invite(Service service, int number) {
        return service.admin().post("/admin/enrollments", "{\"userId\":\"user " + number + "\"}");
    }

    private static int port(String url) {
        var address = ADDRESS.matcher(url);
        assertThat(address.find()).isTrue();
        return Integer.parseInt(address.group(1));
    }

    private static String at(String url, String hosts) {
        return ADDRESS.matcher(url).replaceFirst(hosts + "/");
    }
}
