// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.WebhookReceiver.Message;
import dev.porchlight.server.storage.Database;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WebhooksTest {
    @Nested
    class OnSqlite extends WebhooksContract {
        @Override
        TestDatabase database() {
            return TestDatabase.SQLITE;
        }
    }

    @Nested
    class OnPostgres extends WebhooksContract {
        @Override
        TestDatabase database() {
            return TestDatabase.POSTGRES;
        }
    }

    @Test
    void two_instances_relay_and_send_each_event_once() {
        String database = TestDatabase.POSTGRES.freshUrl();
        try (WebhookReceiver receiver = new WebhookReceiver(() -> 200);
                Service one = Service.at(database);
                Service other = Service.at(database)) {
            one.admin()
                    .post("/admin/webhooks", "{\"url\":\"" + receiver.url() + "\"}")
                    .expect(201);
            List<String> users = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                Person person = (i % 2 == 0 ? one : other).newUser().enroll();
                users.add(person.userId());
            }
            Person last = one.newUser().enroll();
            one.admin()
                    .post("/admin/users/" + last.userId().replace(" ", "%20") + "/lock")
                    .expect(204);

            List<Message> messages = new ArrayList<>();
            while (messages.size() < users.size() + 2) {
                messages.add(receiver.next());
            }
            assertThat(messages)
                    .filteredOn(message -> message.type().equals("passkey.added"))
                    .extracting(message -> message.data().string("userId"))
                    .containsExactlyInAnyOrderElementsOf(Stream.concat(users.stream(), Stream.of(last.userId()))
                            .toList());
            assertThat(messages).extracting(Message::id).doesNotHaveDuplicates();
        }
    }

    /** Sends a request about an endpoint while another instance changes it. */
    private static TestResponse beside(
            String database, String change, Service service, Function<Web, TestResponse> request) {
        try (Database other = TestDatabase.open(database, 4)) {
            Sql sql = other.sql();
            return sql.transaction("change the endpoint", connection -> {
                        Sql.update(connection, change);
                        var response = CompletableFuture.supplyAsync(() -> request.apply(service.admin()));
                        await().until(() -> response.isDone() || TestDatabase.isWaiting(sql));
                        return response;
                    })
                    .join();
        }
    }

    private static String add(Service service) {
        return "/admin/webhooks/"
                + service.admin()
                        .post("/admin/webhooks", "{\"url\":\"https://app.example/events\"}")
                        .expect(201)
                        .json()
                        .string("webhookId");
    }

    @Test
    void an_endpoint_that_another_instance_removes_stays_removed() {
        String database = TestDatabase.POSTGRES.freshUrl();
        String remove = "DELETE FROM porchlight_webhook";
        try (Service service = Service.at(database)) {
            List<Function<String, Function<Web, TestResponse>>> requests = List.of(
                    path -> admin -> admin.patch(path, "{\"events\":[\"user.*\"]}"),
                    path -> admin -> admin.post(path + "/rotate-secret"),
                    path -> admin -> admin.post(path + "/test"));
            for (var request : requests) {
                beside(database, remove, service, request.apply(add(service))).expect(404);

                assertThat(service.rows("porchlight_webhook")).isEmpty();
                assertThat(service.rows("porchlight_outbox")).isEmpty();
            }
        }
    }

    /** A replaced secret, for example, which might be known to a thief. */
    @Test
    void a_change_keeps_what_another_instance_changes() {
        String database = TestDatabase.POSTGRES.freshUrl();
        String change = "UPDATE porchlight_webhook SET url = 'https://new.example/events'";
        try (Service service = Service.at(database)) {
            String path = add(service);

            beside(database, change, service, admin -> admin.patch(path, "{\"enabled\":false}"))
                    .expect(200);

            assertThat(service.admin().get(path).expect(200).json().string("url"))
                    .isEqualTo("https://new.example/events");
        }
    }
}
