// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.server.WebhookReceiver.Message;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Webhooks over HTTP. */
abstract class WebhooksContract extends ServiceContract {
    private final AtomicInteger status = new AtomicInteger();
    private WebhookReceiver receiver;

    @BeforeEach
    void listen() {
        status.set(204);
        receiver = new WebhookReceiver(status::get);
    }

    @AfterEach
    void removeAll() {
        for (JsonObject webhook : get("/admin/webhooks").objects("webhooks")) {
            service.admin()
                    .delete("/admin/webhooks/" + webhook.string("webhookId"))
                    .expect(204);
        }
        receiver.close();
    }

    private JsonObject get(String path) {
        return service.admin().get(path).expect(200).json();
    }

    private JsonObject add(String events) {
        return service.admin()
                .post("/admin/webhooks", "{\"url\":\"" + receiver.url() + "\",\"events\":" + events + "}")
                .expect(201)
                .json();
    }

    private JsonObject post(JsonObject webhook, String action, int expected) {
        return service.admin()
                .post("/admin/webhooks/" + webhook.string("webhookId") + action)
                .expect(expected)
                .jsonIfAny();
    }

    private List<JsonObject> deliveries(JsonObject webhook) {
        return get("/admin/webhooks/" + webhook.string("webhookId")).objects("deliveries");
    }

    private void lock(Person person) {
        service.admin().post(path(person) + "/lock").expect(204);
    }

    private static String path(Person person) {
        return "/admin/users/" + person.userId().replace(" ", "%20");
    }

    private void awaitState(JsonObject webhook, String state) {
        await().until(() -> deliveries(webhook).get(0).string("state").equals(state));
    }

    @Test
    void a_change_is_sent_to_the_endpoint_with_a_valid_signature() {
        Person person = service.newUser().enroll();
        JsonObject webhook = add("[\"user.*\"]");

        lock(person);

        Message message = receiver.next();
        assertThat(message.isSignedWith(webhook.string("secret"))).isTrue();
        assertThat(message.id()).startsWith("msg_");
        assertThat(message.type()).isEqualTo("user.locked");
        assertThat(message.json().names()).containsExactlyInAnyOrder("type", "timestamp", "data");
        assertThat(message.json().string("timestamp")).matches("20\\d\\d-\\d\\d-\\d\\dT[\\d:.]+Z");
        assertThat(message.data().string("userId")).isEqualTo(person.userId());
        assertThat(message.data().string("operator")).startsWith("admin-token:");
        awaitState(webhook, "delivered");
    }

    @Test
    void a_message_names_the_person_who_made_the_change() {
        Person person = service.newUser().enroll();
        Person operator = service.newUser().enroll();
        service.admin().patch(path(operator), "{\"role\":\"operator\"}").expect(204);
        add("[\"user.locked\"]");

        operator.bySession().post(path(person) + "/lock").expect(204);

        assertThat(receiver.next().data().string("operator")).isEqualTo("user:" + operator.userId());
    }

    @Test
    void the_events_of_a_user_arrive_once_each_and_none_from_before() {
        service.newUser().enroll(); // before
        JsonObject webhook = add("[\"*\"]");

        Person person = service.newUser().enroll();
        person.login().expect(200);
        person.tryLogin();
        service.admin().post(path(person) + "/sign-out").expect(204);
        lock(person);
        service.admin().post(path(person) + "/unlock").expect(204);

        List<Message> messages = receiver.until("user.unlocked");
        await().until(() -> receiver.rest().size() + messages.size() >= 6);
        assertThat(Stream.concat(messages.stream(), receiver.rest().stream()))
                .extracting(message -> message.type() + ' ' + message.data().string("userId"))
                .containsExactlyInAnyOrder(
                        "passkey.added " + person.userId(),
                        "session.started " + person.userId(),
                        "session.started " + person.userId(),
                        "session.ended_everywhere " + person.userId(),
                        "user.locked " + person.userId(),
                        "user.unlocked " + person.userId());
        assertThat(webhook.get("events")).isEqualTo(List.of("*"));
    }

    @Test
    void a_refused_sign_in_is_no_event() {
        Person person = service.newUser().enroll();
        lock(person);
        add("[\"*\"]");

        person.tryLogin();
        service.admin().post(path(person) + "/unlock").expect(204);

        assertThat(receiver.next().type()).isEqualTo("user.unlocked");
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 404, 301})
    void a_message_that_is_not_accepted_is_sent_again_with_the_same_id(int refusal) {
        JsonObject webhook = add("[\"*\"]");
        status.set(refusal);

        String id = post(webhook, "/test", 201).string("deliveryId");
        Message first = receiver.next();
        await().until(() -> deliveries(webhook).get(0).names().contains("lastError"));
        assertThat(deliveries(webhook).get(0).string("lastError")).contains("status " + refusal);
        assertThat(inState(webhook, "pending")).hasSize(1);
        assertThat(inState(webhook, "delivered")).isEmpty();
        assertThat(listed(webhook).string("lastError")).contains("status " + refusal);
        status.set(200);
        service.clock().advance(Duration.ofSeconds(30));

        Message second = receiver.next();
        assertThat(first.id()).isEqualTo(id);
        assertThat(second.id()).isEqualTo(id);
        assertThat(second.body()).isEqualTo(first.body());
        awaitState(webhook, "delivered");
        assertThat(deliveries(webhook).get(0).get("attempts")).isEqualTo(2L);
        assertThat(inState(webhook, "delivered")).hasSize(1);
        assertThat(inState(webhook, "failed")).isEmpty();
        assertThat(listed(webhook).names()).doesNotContain("lastError");
    }

    private List<JsonObject> inState(JsonObject webhook, String state) {
        return get("/admin/webhooks/" + webhook.string("webhookId") + "?state=" + state)
                .objects("deliveries");
    }

    private JsonObject listed(JsonObject webhook) {
        return get("/admin/webhooks").objects("webhooks").stream()
                .filter(one -> one.string("webhookId").equals(webhook.string("webhookId")))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void an_unknown_state_of_messages_is_refused() {
        JsonObject webhook = add("[\"*\"]");

        service.admin()
                .get("/admin/webhooks/" + webhook.string("webhookId") + "?state=lost")
                .expectProblem(400, "malformed_request");
    }

    @Test
    void a_message_is_given_up_after_three_days_and_can_be_sent_again_by_hand() {
        JsonObject webhook = add("[\"*\"]");
        status.set(500);
        String id = post(webhook, "/test", 201).string("deliveryId");
        receiver.next();
        await().until(() -> deliveries(webhook).get(0).names().contains("lastError"));

        service.clock().advance(Duration.ofDays(3));
        awaitState(webhook, "failed");
        status.set(200);
        post(webhook, "/deliveries/" + id + "/redeliver", 204);

        awaitState(webhook, "delivered");
        assertThat(service.metrics()).contains("outbox_deliveries_total{kind=\"webhook\",result=\"failed\"} ");
    }

    @Test
    void an_endpoint_that_is_off_receives_nothing_and_later_nothing_from_that_time() {
        Person person = service.newUser().enroll();
        JsonObject webhook = add("[\"*\"]");
        change(webhook, "{\"enabled\":false}");
        lock(person);

        change(webhook, "{\"enabled\":true}");
        service.admin().post(path(person) + "/unlock").expect(204);

        assertThat(receiver.next().type()).isEqualTo("user.unlocked");
    }

    private void change(JsonObject webhook, String json) {
        service.admin()
                .patch("/admin/webhooks/" + webhook.string("webhookId"), json)
                .expect(200);
    }

    @Test
    void a_replaced_secret_signs_for_a_day_beside_the_new_one() {
        JsonObject webhook = add("[\"*\"]");
        String next = post(webhook, "/rotate-secret", 200).string("secret");
        post(webhook, "/test", 201);

        Message both = receiver.next();
        assertThat(both.isSignedWith(next)).isTrue();
        assertThat(both.isSignedWith(webhook.string("secret"))).isTrue();
        service.clock().advance(Duration.ofDays(1));
        post(webhook, "/test", 201);

        Message later = receiver.next();
        assertThat(later.isSignedWith(next)).isTrue();
        assertThat(later.signatures()).hasSize(1);
    }

    @Test
    void the_erasure_names_the_user_and_what_waited_before_it_does_not() {
        Person person = service.newUser().enroll();
        JsonObject webhook = add("[\"user.*\"]");
        status.set(500);
        lock(person);
        receiver.next();
        await().until(() -> deliveries(webhook).get(0).names().contains("lastError"));

        service.admin().delete(path(person)).expect(204);
        status.set(200);
        service.clock().advance(Duration.ofSeconds(30));

        List<Message> messages = List.of(receiver.next(), receiver.next());
        for (Message message : messages) {
            String user = message.data().string("userId");
            if (message.type().equals("user.erased")) {
                assertThat(user).isEqualTo(person.userId());
            } else {
                assertThat(message.type()).isEqualTo("user.locked");
                assertThat(user).startsWith("porchlight:pseudonym:");
            }
        }
        assertThat(messages).extracting(Message::type).contains("user.erased");
    }

    @Test
    void the_content_of_a_delivered_message_about_an_erasure_is_deleted() {
        Person person = service.newUser().enroll();
        JsonObject webhook = add("[\"user.erased\"]");

        service.admin().delete(path(person)).expect(204);
        receiver.next();
        await().until(() -> deliveries(webhook).get(0).string("state").equals("delivered"));

        List<String> contents = service.withSql(sql ->
                sql.query("SELECT sealed FROM porchlight_outbox WHERE type = 'user.erased'", row -> row.getString(1)));
        assertThat(contents).containsExactly("");
        post(webhook, "/deliveries/" + deliveries(webhook).get(0).string("deliveryId") + "/redeliver", 404);
    }

    /** As after the start with another SESSION_SECRET. */
    @Test
    void an_endpoint_whose_secret_cannot_be_read_stops_no_erasure_and_works_again_after_a_rotation() {
        Person person = service.newUser().enroll();
        JsonObject webhook = add("[\"user.erased\"]");
        service.withSql(sql -> sql.update("UPDATE porchlight_webhook SET sealed = 'x'"));

        service.admin().delete(path(person)).expect(204);
        await().until(() ->
                String.valueOf(deliveries(webhook).get(0).get("lastError")).contains("rotate"));
        assertThat(get("/admin/webhooks").toString()).contains(webhook.string("webhookId"), "\"user.locked\"");
        String secret = post(webhook, "/rotate-secret", 200).string("secret");
        service.clock().advance(Duration.ofSeconds(30));

        assertThat(receiver.next().isSignedWith(secret)).isTrue();
    }

    @Test
    void the_database_has_neither_secrets_nor_contents_in_plain_text() {
        Person person = service.newUser().enroll();
        JsonObject webhook = add("[\"*\"]");
        lock(person);
        receiver.next();

        String rows = String.join("\n", service.rows("porchlight_outbox"))
                + String.join("\n", service.rows("porchlight_webhook"));
        assertThat(rows)
                .contains(webhook.string("webhookId"))
                .doesNotContain(person.userId(), "pseudonym", "whsec_", webhook.string("secret"));
        assertThat(get("/admin/webhooks").toString()).doesNotContain("whsec_");
        assertThat(service.logs()).doesNotContain("whsec_");
    }

    @Test
    void a_removed_endpoint_leaves_no_rows() {
        JsonObject webhook = add("[\"*\"]");
        status.set(500);
        post(webhook, "/test", 201);
        receiver.next();

        service.admin().delete("/admin/webhooks/" + webhook.string("webhookId")).expect(204);

        for (String table : List.of("porchlight_outbox", "porchlight_webhook", "porchlight_event_cursor")) {
            assertThat(service.rows(table)).as(table).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://hooks.example/",
                "https://user@hooks.example/",
                "https://hooks.example/#part",
                "ftp://hooks.example/",
                "hooks.example",
                "https:///path"
            })
    void a_url_that_is_no_safe_target_is_refused(String url) {
        service.admin().post("/admin/webhooks", "{\"url\":\"" + url + "\"}").expectProblem(400, "invalid_webhook");
    }

    @Test
    void an_endpoint_that_does_not_listen_is_named_in_the_error() {
        assertThat(errorOf("http://localhost:1/")).isEqualTo("the target accepts no connection");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"https://169.254.169.254/latest", "https://[fe80::1]/", "https://0.0.0.0/", "https://127.0.0.2/"
            })
    void no_request_is_sent_to_addresses_of_this_machine_or_link(String url) {
        assertThat(errorOf(url)).contains("is not allowed");
    }

    /** The error of the first message to an endpoint. */
    private String errorOf(String url) {
        JsonObject webhook = service.admin()
                .post("/admin/webhooks", "{\"url\":\"" + url + "\"}")
                .expect(201)
                .json();

        post(webhook, "/test", 201);

        await().until(() -> deliveries(webhook).get(0).names().contains("lastError"));
        return deliveries(webhook).get(0).string("lastError");
    }

    @Test
    void unknown_events_and_more_than_20_endpoints_are_refused() {
        Web admin = service.admin();
        String settings = "{\"url\":\"" + receiver.url() + "\",\"events\":%s}";
        for (String events : List.of("[\"user.none\"]", "[\"none.*\"]", "[]", "[\"user\"]")) {
            admin.post("/admin/webhooks", settings.formatted(events)).expectProblem(400, "invalid_webhook");
        }
        for (int i = 0; i < 20; i++) {
            add("[\"user.erased\"]");
        }
        admin.post("/admin/webhooks", settings.formatted("[\"*\"]")).expectProblem(409, "too_many_webhooks");
    }

    @Test
    void changes_of_endpoints_are_audited() {
        JsonObject webhook = add("[\"*\"]");
        change(webhook, "{\"events\":[\"user.*\"]}");
        post(webhook, "/rotate-secret", 200);

        assertThat(get("/admin/audit?limit=3").objects("events"))
                .extracting(row -> row.string("action") + ' ' + row.get("changed"))
                .containsExactly(
                        "webhook_secret_rotated [" + webhook.string("webhookId") + "]",
                        "webhook_changed [" + webhook.string("webhookId") + ", events]",
                        "webhook_added [" + webhook.string("webhookId") + "]");
    }
}
