// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.server.storage.Forwarder;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A database that fails while the service runs: requests are refused with 503, and taken again when it is back. */
@Tag("slow")
class StorageFaultsTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Pattern ADDRESS = Pattern.compile("127\\.0\\.0\\.1:([0-9]+)/");

    @Test
    void a_full_disk_is_told_and_done_with_when_there_is_room() {
        try (Service service = Service.at(TestDatabase.SQLITE.freshUrl() + "?max_page_count=64")) {
            TestResponse reply = invite(service, 0);
            for (int i = 1; reply.status() == 201 && i < 1_000; i++) {
                reply = invite(service, i);
            }
            reply.expectProblem(503, "storage_full");
            assertThat(reply.header("Retry-After")).isEqualTo("1");
            assertThat(service.logs()).contains("\"fault\":\"full\"");
            service.web().get("/health/live").expect(200);

            service.behindItsBack(sql -> sql.update("DELETE FROM porchlight_sealed_entry"));
            invite(service, 2_000).expect(201);
        }
    }

    @Test
    void a_database_that_hangs_is_not_waited_for_and_taken_again_when_it_answers() throws Exception {
        String url = TestDatabase.POSTGRES.freshUrl();
        try (Forwarder way = new Forwarder(port(url));
                Service service = Service.at(at(url, "127.0.0.1:" + way.port()))) {
            Person person = service.stranger().enroll();
            String token = person.login().json().string("token");

            way.freeze();
            for (int i = 0; i < 3; i++) {
                service.web().get(Person.LOGIN_OPTIONS + Web.user("ada")).expectProblem(503, "storage_unavailable");
            }
            service.web().get("/health/live").expect(200);
            service.web().get("/health/ready").expect(503);
            // Whether its passkey is still there cannot be known now.
            service.web().bearer(token).get("/auth/session").expectProblem(503, "storage_unavailable");
            assertThat(service.logs().lines().filter(line -> line.contains("\"storage is unavailable\"")))
                    .hasSizeBetween(1, 4);

            way.thaw();
            await().atMost(SOON)
                    .untilAsserted(() -> service.web()
                            .get(Person.LOGIN_OPTIONS + Web.user("ada"))
                            .expect(200));
            person.login().expect(200);
        }
    }

    @Test
    void of_several_hosts_the_next_is_taken_when_one_goes_away() throws Exception {
        String url = TestDatabase.POSTGRES.freshUrl();
        try (Forwarder first = new Forwarder(port(url));
                Forwarder second = new Forwarder(port(url));
                Service service = Service.at(at(url, "127.0.0.1:" + first.port() + ",127.0.0.1:" + second.port()))) {
            Person person = service.stranger().enroll();

            first.cut();
            await().atMost(SOON)
                    .untilAsserted(() -> service.web()
                            .get(Person.LOGIN_OPTIONS + Web.user("ada"))
                            .expect(200));
            person.login().expect(200);
        }
    }

    private static TestResponse invite(Service service, int number) {
        return service.admin().post("/admin/enrollments", "{\"userId\":\"somebody " + number + "\"}");
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
