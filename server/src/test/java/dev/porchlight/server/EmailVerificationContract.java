// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.server.TestMail.Received;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.server.MailServer;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Addresses that users verify with a link, over a real mail server. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class EmailVerificationContract {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final String PROFILE = "/auth/profile";
    private static final String LINK = "http://localhost/account#verify=";

    private final Set<String> opened = new HashSet<>();
    private MailServer server;
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
                "PROFILE_EDITABLE",
                "name,email",
                "SIGNUP_FIELDS",
                "email");
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

    private static String newName() {
        return "verifying-" + NAMES.incrementAndGet();
    }

    private static String address(Person person) {
        return person.userId() + "@recipients.example";
    }

    private Person member() {
        return service.person(newName(), SoftAuthenticator.securityKey()).enroll();
    }

    private static TestResponse setEmail(Person person, String email) {
        return person.bySession().patch(PROFILE, "{\"email\":\"" + email + "\"}");
    }

    /** The token in a new mail to an address. */
    private String token(String email) {
        String link = await().until(
                        () -> TestMail.received(server, email).stream()
                                .map(mail -> mail.link(LINK))
                                .filter(each -> !opened.contains(each))
                                .findFirst()
                                .orElse(null),
                        Objects::nonNull);
        opened.add(link);
        return link.substring(LINK.length());
    }

    private static TestResponse verify(Web user, String token) {
        return user.post(PROFILE + "/email/verify", "{\"token\":\"" + token + "\"}");
    }

    private static TestResponse sendLink(Web user) {
        return user.post(PROFILE + "/email/link");
    }

    private boolean isVerified(Person person) {
        return service.admin().get(path(person)).expect(200).json().flag("emailVerified");
    }

    private static String path(Person person) {
        return "/admin/users/" + person.userId();
    }

    private void change(Person person, String members) {
        service.admin().patch(path(person), members).expect(204);
    }

    /** The number of links that were mailed or wait. */
    private long mailed() {
        return mailed("verification");
    }

    private long mailed(String type) {
        return service.withSql(sql ->
                        sql.query("SELECT COUNT(*) FROM porchlight_outbox WHERE type = ?", row -> row.getLong(1), type))
                .get(0);
    }

    @Test
    void a_new_address_is_verified_once_by_the_link_that_is_mailed_to_it() {
        Person ada = member();
        String email = address(ada);

        JsonObject changed = setEmail(ada, email).expect(200).json();

        assertThat(changed.flag("emailVerified")).isFalse();
        assertThat(changed.flag("canVerify")).isTrue();
        String token = token(email);
        Received mail = TestMail.received(server, email).get(0);
        assertThat(mail.subject()).startsWith("Verify your email address");
        assertThat(mail.text() + mail.html())
                .as("no text that a stranger chose")
                .doesNotContain(ada.userId());
        assertThat(String.join("\n", service.rows("porchlight_sealed_entry"))).doesNotContain(email, token);
        JsonObject verified = verify(ada.bySession(), token).expect(200).json();
        assertThat(verified.flag("emailVerified")).isTrue();
        assertThat(verified.names()).doesNotContain("canVerify");
        verify(ada.bySession(), token).expectProblem(409, "email_link_ended");
        change(ada, "{\"emailVerified\":false}");
        verify(ada.bySession(), token).expectProblem(409, "email_link_ended");
        assertThat(service.admin()
                        .get("/admin/audit?userId=" + ada.userId() + "&action=email_verified")
                        .expect(200)
                        .json()
                        .objects("events"))
                .hasSize(1);
    }

    @Test
    void a_sign_up_with_an_address_gets_a_link() {
        Person grace = service.person(newName(), SoftAuthenticator.securityKey());
        String token = service.web()
                .post("/auth/signup", "{\"userId\":\"" + grace.userId() + "\",\"email\":\"" + address(grace) + "\"}")
                .expect(201)
                .json()
                .string("token");
        long before = mailed();
        grace.register(token).expect(201);
        assertThat(mailed()).isEqualTo(before + 1);

        verify(grace.byToken(), token(address(grace))).expect(200);

        assertThat(isVerified(grace)).isTrue();
    }

    @Test
    void an_address_that_an_operator_gave_is_verified_on_request() {
        Person bob = member();
        long before = mailed();
        change(bob, "{\"email\":\"" + address(bob) + "\",\"locale\":\"de\"}");
        assertThat(mailed()).isEqualTo(before);

        sendLink(bob.bySession()).expect(204);

        verify(bob.bySession(), token(address(bob))).expect(200);
        assertThat(TestMail.received(server, address(bob)).get(0).subject()).startsWith("Bestätigen");
        sendLink(bob.bySession()).expect(204);
        assertThat(mailed()).as("nothing is left to verify").isEqualTo(before + 1);
    }

    @Test
    void a_verified_address_is_notified_of_a_change_once_and_without_the_new_address() {
        Person ada = member();
        change(ada, "{\"email\":\"" + address(ada) + "\",\"emailVerified\":true}");
        long before = mailed("email_changed");

        setEmail(ada, "new-" + address(ada)).expect(200);
        change(ada, "{\"email\":null}");

        Received mail = await().until(() -> TestMail.received(server, address(ada)), mails -> mails.size() == 1)
                .get(0);
        assertThat(mail.subject()).startsWith("The email address of your account");
        assertThat(mail.text() + mail.html()).contains(ada.userId()).doesNotContain("new-");
        assertThat(mailed("email_changed"))
                .as("the second address was not verified")
                .isEqualTo(before + 1);
    }

    @Test
    void a_link_verifies_nothing_for_another_user_or_without_a_sign_in() {
        Person mallory = member();
        Person owner = member();
        String mailbox = address(owner);
        setEmail(mallory, mailbox).expect(200);
        change(owner, "{\"email\":\"" + mailbox + "\"}");
        String token = token(mailbox);

        service.web().get("/account").expect(200);
        verify(service.web(), token).expectProblem(401, "unauthenticated");
        String other = verify(owner.bySession(), token)
                .expectProblem(409, "email_link_ended")
                .json()
                .remove("correlationId")
                .toString();
        String unknown = verify(owner.bySession(), "unknown")
                .expectProblem(409, "email_link_ended")
                .json()
                .remove("correlationId")
                .toString();

        assertThat(other).isEqualTo(unknown);
        assertThat(isVerified(owner)).isFalse();
        assertThat(isVerified(mallory)).isFalse();
    }

    @TestFactory
    List<DynamicTest> a_link_ends() {
        Map<String, Consumer<Person>> ends = new LinkedHashMap<>();
        ends.put("after a day", person -> service.clock().advance(Duration.ofDays(1)));
        ends.put("with the next link", person -> sendLink(person.bySession()).expect(204));
        ends.put(
                "with another address",
                person -> setEmail(person, "else@recipients.example").expect(200));
        ends.put("when an operator changes the address and restores it", person -> {
            change(person, "{\"email\":\"else@recipients.example\"}");
            change(person, "{\"email\":\"" + address(person) + "\"}");
        });
        ends.put("when the address is removed", person -> change(person, "{\"email\":null}"));
        ends.put("with a lock", person -> {
            service.admin().post(path(person) + "/lock").expect(204);
            service.admin().post(path(person) + "/unlock").expect(204);
        });
        ends.put(
                "with a sign-out everywhere",
                person ->
                        person.bySession().post("/auth/logout?everywhere=true").expect(204));
        return ends.entrySet().stream()
                .map(end -> DynamicTest.dynamicTest(end.getKey(), () -> {
                    Person person = member();
                    setEmail(person, address(person)).expect(200);
                    String token = token(address(person));
                    end.getValue().accept(person);

                    verify(person.bySession(), token).expectProblem(409, "email_link_ended");

                    assertThat(isVerified(person)).isFalse();
                }))
                .toList();
    }

    @Test
    void an_erasure_removes_the_link() {
        Person person = member();
        long before = links();
        setEmail(person, address(person)).expect(200);
        assertThat(links()).isEqualTo(before + 1);

        service.admin().delete(path(person)).expect(204);

        assertThat(links()).isEqualTo(before);
    }

    private long links() {
        return service.rows("porchlight_sealed_entry").stream()
                .filter(row -> row.startsWith("email "))
                .count();
    }

    @Test
    void a_link_is_used_once_by_many_callers_on_two_instances() throws Exception {
        Person person = member();
        setEmail(person, address(person)).expect(200);
        String token = token(address(person));
        try (Service other = Service.at(service.clock(), service.databaseUrl())) {
            List<Callable<TestResponse>> requests = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String cookie = Person.cookie(person.login().expect(200));
                Web web = (i % 2 == 0 ? service : other).web().with("Cookie", cookie);
                requests.add(() -> verify(web, token));
            }

            assertThat(Together.run(requests))
                    .extracting(TestResponse::status)
                    .containsOnlyOnce(200)
                    .containsOnly(200, 409);
        }
    }

    @Test
    void a_mailbox_and_a_user_get_five_links_in_a_day() {
        Person stranger = member();
        Person another = member();
        String mailbox = "victim-" + NAMES.incrementAndGet();
        long before = mailed();
        for (int i = 0; i < 5; i++) {
            setEmail(stranger, mailbox + "+" + i + "@Recipients.example").expect(200);
        }
        assertThat(mailed()).isEqualTo(before + 5);
        setEmail(stranger, mailbox + "@recipients.example").expect(200);

        TestResponse refused = sendLink(stranger.bySession()).expectProblem(429, "rate_limited");

        assertThat(refused.header("Retry-After")).isEqualTo("86400");
        setEmail(another, mailbox + "@recipients.example").expect(200);
        sendLink(another.bySession()).expect(204);
        assertThat(mailed()).isEqualTo(before + 5);
        service.clock().advance(Duration.ofHours(25));
        sendLink(another.bySession()).expect(204);
        assertThat(mailed()).isEqualTo(before + 6);
    }
}
