// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.WebhookReceiver.Message;
import dev.porchlight.testkit.remote.Person;
import java.util.ArrayList;
import java.util.List;
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
}
