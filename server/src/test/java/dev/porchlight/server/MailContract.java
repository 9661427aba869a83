// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.server.TestMail.Received;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.server.MailServer;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Mails over a real mail server. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class MailContract {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final String LINK = "http://localhost/#enroll=";

    private MailServer server;
    private boolean stopped;
    private Service service;

    abstract TestDatabase database();

    @BeforeAll
    void start() {
        server = TestMail.start(TestMail.identity());
        service = Service.on(
                database(),
                "SMTP_URL",
                server.url(),
                "MAIL_FROM",
                "accounts@porchlight.example",
                "RP_NAME",
                "Müller & <Söhne>");
    }

    @AfterAll
    void stop() throws IOException {
        if (service != null) {
            service.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private void stopServer() throws IOException {
        server.stop();
        stopped = true;
    }

    @AfterEach
    void startServer() throws IOException {
        if (stopped) {
            server.restart();
            stopped = false;
        }
    }

    private static String newName() {
        return "mailed-" + NAMES.incrementAndGet();
    }

    private static String address(String userId) {
        return userId + "@recipients.example";
    }

    private TestResponse invite(String userId, String more) {
        return service.admin()
                .post(
                        "/admin/enrollments",
                        "{\"userId\":\"" + userId + "\",\"email\":\"" + address(userId) + "\",\"send\":true" + more
                                + "}");
    }

    private Received received(String userId, String subject) {
        return await().until(
                        () -> TestMail.received(server, address(userId)).stream()
                                .filter(mail -> mail.subject().contains(subject))
                                .findFirst()
                                .orElse(null),
                        found -> found != null);
    }

    /** A user with a passkey and an address, verified or not. */
    private Person person(boolean verified, String more) {
        String userId = newName();
        Person person = service.person(userId, SoftAuthenticator.securityKey()).enroll();
        service.admin()
                .patch(
                        "/admin/users/" + userId,
                        "{\"email\":\"" + address(userId) + "\",\"emailVerified\":" + verified + more + "}")
                .expect(204);
        return person;
    }

    private List<JsonObject> deliveries() {
        return service.admin().get("/admin/mail?limit=200").expect(200).json().objects("deliveries");
    }

    /** A mail that was not delivered. */
    private JsonObject waitingFor(String userId) {
        return deliveries().stream()
                .filter(mail -> userId.equals(mail.get("userId")))
                .findFirst()
                .orElseThrow();
    }

    private JsonObject find(String id) {
        return deliveries().stream()
                .filter(mail -> mail.string("deliveryId").equals(id))
                .findFirst()
                .orElseThrow();
    }

    private String awaitError(String userId) {
        await().until(() -> waitingFor(userId).names().contains("lastError"));
        return waitingFor(userId).string("deliveryId");
    }

    private void awaitState(String id, String state) {
        await().until(() -> find(id).string("state").equals(state));
    }

    @Test
    void an_invitation_is_sent_and_its_use_verifies_the_address() {
        String userId = newName();

        TestResponse response = invite(userId, "").expect(202);

        assertThat(response.json().names()).containsExactlyInAnyOrder("expiresAt", "locked");
        Received mail = received(userId, "invitation");
        assertThat(mail.subject()).isEqualTo("Your invitation to Müller & <Söhne>");
        assertThat(mail.header("From")).contains("<accounts@porchlight.example>");
        assertThat(mail.header("Auto-Submitted")).isEqualTo("auto-generated");
        assertThat(mail.header("Message-ID")).startsWith("<mail_").endsWith("@porchlight.example>");
        String link = mail.link(LINK);
        assertThat(mail.text()).contains("with the user name " + userId);
        assertThat(mail.html())
                .contains("href=\"" + link + '"', "<bdi>Müller &amp; &lt;Söhne&gt;</bdi>")
                .doesNotContain("<Söhne>", "<img", "<script");
        Person person = service.person(userId, SoftAuthenticator.securityKey());
        person.register(link.substring(LINK.length())).expect(201);
        assertThat(service.admin().get("/admin/users/" + userId).expect(200).body())
                .contains("\"emailVerified\":true");
        assertThat(received(userId, "was added").link("http://localhost/account"))
                .isNotEmpty();
    }

    @Test
    void a_link_that_was_shown_verifies_no_address() {
        String userId = newName();
        String token = service.admin()
                .post("/admin/enrollments", "{\"userId\":\"" + userId + "\",\"email\":\"" + address(userId) + "\"}")
                .expect(201)
                .json()
                .string("token");

        service.person(userId, SoftAuthenticator.securityKey()).register(token).expect(201);

        assertThat(service.admin().get("/admin/users/" + userId).expect(200).body())
                .contains("\"emailVerified\":false");
    }

    @Test
    void a_link_ends_when_the_address_changes_that_it_was_sent_to() {
        String userId = newName();
        invite(userId, ",\"ttlSeconds\":604800").expect(202);
        String token = received(userId, "invitation").link(LINK).substring(LINK.length());

        service.admin()
                .patch("/admin/users/" + userId, "{\"email\":\"" + address("right-" + userId) + "\"}")
                .expect(204);

        service.web().bearer(token).get(Person.REGISTER_OPTIONS).expectProblem(401, "enrollment_ended");
    }

    @Test
    void a_notice_is_in_the_language_of_the_user() {
        Person person = person(true, ",\"locale\":\"ar-EG\"");

        person.remove(person.byToken()).expect(409);
        service.admin()
                .delete("/admin/users/" + person.userId() + "/passkeys/" + person.credentialId() + "?force=true")
                .expect(204);

        Received mail = received(person.userId(), "مفتاح مرور");
        assertThat(mail.html()).contains("<html lang=\"ar\" dir=\"rtl\">");
        assertThat(mail.text()).contains("\u2068" + person.userId() + "\u2069");
        assertThat(mail.header("Content-Language")).isEqualTo("ar");
    }

    @Test
    void an_address_that_is_not_verified_gets_no_notice() {
        Person unverified = person(false, "");
        Person verified = person(true, "");

        for (Person person : List.of(unverified, verified)) {
            service.admin()
                    .delete("/admin/users/" + person.userId() + "/passkeys/" + person.credentialId() + "?force=true")
                    .expect(204);
        }

        received(verified.userId(), "was removed");
        assertThat(TestMail.received(server, address(unverified.userId()))).isEmpty();
    }

    @Test
    void a_mail_waits_for_a_server_that_is_down_and_its_content_is_deleted_after_the_delivery() throws IOException {
        stopServer();
        String userId = newName();
        invite(userId, ",\"ttlSeconds\":3600").expect(202);
        String id = awaitError(userId);
        assertThat(find(id).string("state")).isEqualTo("pending");
        assertThat(find(id).string("to")).isEqualTo(address(userId));
        assertThat(String.join("\n", service.rows("porchlight_outbox"))).doesNotContain(userId, "enroll_");

        startServer();
        service.clock().advance(Duration.ofSeconds(30));

        assertThat(received(userId, "invitation").link(LINK)).isNotEmpty();
        awaitState(id, "delivered");
        assertThat(find(id).names()).doesNotContain("to", "userId", "lastError");
        List<String> contents = service.withSql(sql -> sql.query(
                "SELECT sealed FROM porchlight_outbox WHERE delivered_at IS NOT NULL", row -> row.getString(1)));
        assertThat(contents).containsOnly("");
        redeliver(id).expectProblem(404, "not_found");
    }

    private TestResponse redeliver(String id) {
        return service.admin().post("/admin/mail/deliveries/" + id + "/redeliver");
    }

    @Test
    void an_invitation_whose_link_has_expired_is_not_sent() throws IOException {
        stopServer();
        String userId = newName();
        invite(userId, ",\"ttlSeconds\":60").expect(202);
        String id = awaitError(userId);

        startServer();
        service.clock().advance(Duration.ofSeconds(90));

        awaitState(id, "failed");
        assertThat(find(id).string("lastError")).contains("expired");
        assertThat(TestMail.received(server, address(userId))).isEmpty();
    }

    @Test
    void an_address_that_the_server_refuses_is_not_tried_again_until_an_operator_asks() {
        String userId = "unknown-" + newName();
        invite(userId, "").expect(202);

        String id = awaitError(userId);
        awaitState(id, "failed");
        assertThat(find(id).string("lastError")).contains("no such mailbox").doesNotContain(userId);
        assertThat(find(id).get("attempts")).isEqualTo(1L);
        redeliver(id).expect(204);
        awaitState(id, "failed");
        assertThat(service.metrics()).contains("outbox_deliveries_total{kind=\"mail\",result=\"failed\"} ");
    }

    @Test
    void an_erasure_removes_the_mails_to_the_user() throws IOException {
        stopServer();
        String userId = newName();
        invite(userId, "").expect(202);
        String id = awaitError(userId);

        service.admin().delete("/admin/users/" + userId).expect(204);

        assertThat(deliveries()).noneMatch(mail -> mail.string("deliveryId").equals(id));
        startServer();
        service.clock().advance(Duration.ofMinutes(1));
        String later = test(newName());
        awaitState(later, "delivered");
        assertThat(TestMail.received(server, address(userId))).isEmpty();
    }

    private String test(String userId) {
        return service.admin()
                .post("/admin/mail/test", "{\"to\":\"" + address(userId) + "\"}")
                .expect(201)
                .json()
                .string("deliveryId");
    }

    @Test
    void a_test_mail_shows_whether_the_server_works() {
        String userId = newName();

        String id = test(userId);

        awaitState(id, "delivered");
        assertThat(received(userId, "Test mail").text()).contains("can send mail");
        service.admin()
                .post("/admin/mail/test", "{\"to\":\"a@b.example\\r\\nBcc: c@d.example\"}")
                .expectProblem(400, "malformed_request");
    }

    @Test
    void the_people_in_a_file_are_invited_once_with_a_report_per_line() {
        String ada = newName();
        String bob = newName();
        String csv = "userId,email,name,groups,locale\\n" + ada + ',' + address(ada) + ",Ada,staff;admins,de\\n" + bob
                + ",no address,Bob,,\\n,,,,\\n" + ada + ",,,,";

        JsonObject first = bulk(csv, 200).json();

        assertThat(first.objects("people"))
                .extracting(person -> person.get("line") + " " + person.string("state"))
                .containsExactly("2 invited", "3 refused", "4 refused", "5 skipped");
        assertThat(first.objects("people").get(1).string("detail")).contains("email");
        assertThat(received(ada, "Einladung").text()).contains(ada);
        assertThat(service.admin().get("/admin/users/" + ada).expect(200).body())
                .contains("\"name\":\"Ada\"", "\"admins\",\"staff\"");
        assertThat(bulk(csv, 200).json().objects("people").get(0).string("state"))
                .isEqualTo("skipped");
        assertThat(TestMail.received(server, address(ada))).hasSize(1);
    }

    @Test
    void more_people_than_a_request_invites_are_continued_and_a_malformed_file_invites_no_one() {
        String prefix = newName() + "-";
        StringBuilder csv = new StringBuilder("userId,email");
        for (int i = 0; i < 21; i++) {
            csv.append("\\n").append(prefix).append(i).append(',').append(address("many"));
        }
        bulk(csv + "\\n\\\"", 400);
        assertThat(service.admin()
                        .get("/admin/users?query=" + prefix)
                        .expect(200)
                        .body())
                .doesNotContain(prefix + 0);

        JsonObject first = bulk(csv.toString(), 200).json();
        assertThat(first.objects("people")).hasSize(20);
        TestResponse second = service.admin()
                .post("/admin/invitations", "{\"csv\":\"" + csv + "\",\"after\":" + first.get("next") + "}")
                .expect(200);

        assertThat(second.json().objects("people")).hasSize(1);
        assertThat(second.json().names()).doesNotContain("next");
        await().until(() -> TestMail.received(server, address("many")).size() == 21);
    }

    private TestResponse bulk(String csv, int status) {
        return service.admin()
                .post("/admin/invitations", "{\"csv\":\"" + csv + "\"}")
                .expect(status);
    }

    @Test
    void an_invitation_needs_an_address() {
        service.admin()
                .post("/admin/enrollments", "{\"userId\":\"" + newName() + "\",\"send\":true}")
                .expectProblem(409, "no_email");
    }
}
