// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.SupportCode;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An explanation is true when it is read: what happened since the failure changes the advice, and never the cause. */
class AftermathTest {
    private static final String TRACE = "1c5e0a7b9d3f42688ce1b2f4d6a80973";
    private static final String SIGNED_IN = "has signed in since then";
    private static final String NO_LINK = "no passkey now, and no valid enrollment link";
    private static final String HAS_LINK = "has a valid enrollment link, and opens that one";

    private Service service;
    private Person ada;
    private Web traced;

    @BeforeEach
    void start() {
        service = Service.on(TestDatabase.SQLITE);
        ada = service.person("ada", SoftAuthenticator.securityKey()).enroll();
        trace();
        pass();
    }

    private void trace() {
        traced = service.web().with("traceparent", "00-" + TRACE + "-0123456789abcdef-01");
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void a_sign_in_since_leaves_nothing_to_do() {
        dismiss("ada");
        assertThat(advice()).contains("Ask what the window showed");
        assertThat(fact("passkeys_now").string("text")).isEqualTo("1");

        pass();
        long later = service.clock().millis();
        ada.login().expect(200);

        assertThat(cause().string("code")).isEqualTo("dismissed");
        assertThat(advice()).contains(SIGNED_IN);
        assertThat((Long) fact("last_sign_in").get("at")).isGreaterThanOrEqualTo(later);
    }

    @Test
    void a_sign_in_before_leaves_the_advice() {
        ada.login().expect(200);
        pass();
        dismiss("ada");

        assertThat(advice()).doesNotContain(SIGNED_IN);
    }

    @Test
    void a_user_who_is_locked_now_cannot_try_again() {
        dismiss("ada");
        pass();
        admin("/admin/users/ada/lock");

        assertThat(cause().string("code")).isEqualTo("dismissed");
        assertThat(advice()).contains("is locked now", "users unlock").doesNotContain("phone");
        assertThat(fact("user_locked").string("by")).startsWith("admin-token:");
    }

    @Test
    void a_user_without_a_passkey_now_needs_a_link_or_opens_the_one_they_have() {
        dismiss("ada");
        pass();
        long signedIn = service.clock().millis();
        ada.login().expect(200);
        pass();
        service.admin()
                .delete("/admin/users/ada/passkeys/" + ada.credentialId() + "?force=true")
                .expect(204);

        assertThat(cause().string("code")).isEqualTo("dismissed"); // there was a passkey to offer
        assertThat(advice()).contains(NO_LINK);
        assertThat((Long) fact("last_sign_in").get("at")).isGreaterThanOrEqualTo(signedIn);
        assertThat(service.admin().get("/admin/users/ada").expect(200).body()).contains("\"lastUsedAt\":");

        issue("ada", 600);
        assertThat(advice()).contains(HAS_LINK);
        assertThat(fact("open_link_issued").string("by")).startsWith("admin-token:");
        pass(Duration.ofMinutes(11));
        assertThat(advice()).contains(NO_LINK);
    }

    @Test
    void a_user_who_had_no_passkey_and_has_one_now_can_try_again() {
        issue("sam", 600);
        pass();
        dismiss("sam");
        assertThat(cause().string("code")).isEqualTo("no_passkey");
        assertThat(advice()).contains(HAS_LINK);

        pass();
        service.person("sam", SoftAuthenticator.securityKey())
                .register(issue("sam", 600))
                .expect(201);

        assertThat(cause().string("code")).isEqualTo("no_passkey");
        assertThat(cause().string("what")).contains("had no passkey here", "They have one now.");
        assertThat(advice()).contains(SIGNED_IN);
    }

    @Test
    void a_user_who_was_created_since_was_unknown_then() {
        dismiss("sam");
        assertThat(cause().string("what")).isEqualTo("There is no user with this name.");

        pass();
        issue("sam", 600);

        assertThat(cause().string("code")).isEqualTo("unknown_user");
        assertThat(cause().string("what")).contains("There was no user with this name. One was created since.");
        assertThat(advice()).contains(HAS_LINK);
    }

    @Test
    void a_link_that_failed_is_explained_as_it_is_now() {
        String token = issue("sam", 600);
        open(token.substring(0, 30)).expectProblem(401, "enrollment_damaged");
        assertThat(advice()).contains("still works if it is copied completely");

        pass();
        admin("/admin/users/sam/sign-out");
        assertThat(cause().string("what")).contains("has ended since");
        assertThat(advice()).contains("Issue a new one").doesNotContain("still works");
        assertThat(fact("enrollment_ended").string("by")).startsWith("admin-token:");
        assertThat(facts()).doesNotContain("enrollment_valid_until");

        String second = issue("sam", 600);
        assertThat(advice()).contains(HAS_LINK);
        pass();
        service.person("sam", SoftAuthenticator.securityKey()).register(second).expect(201);
        assertThat(cause().string("code")).isEqualTo("enrollment_damaged");
        assertThat(advice()).contains(SIGNED_IN);
    }

    @Test
    void a_passkey_that_was_added_since_leaves_nothing_to_do() {
        JsonObject options = ada.byToken()
                .with("traceparent", "00-" + TRACE + "-0123456789abcdef-01")
                .get(Person.REGISTER_OPTIONS)
                .expect(200)
                .json();
        report("registration", "dismissed", options.string("challenge"), "ada");
        assertThat(advice()).contains("The user can try again.");

        pass();
        ada.login().expect(200);
        assertThat(advice()).contains("The user can try again."); // a sign-in adds no passkey
        service.person("ada", SoftAuthenticator.securityKey())
                .register(issue("ada", 600))
                .expect(201);
        assertThat(advice()).contains("has created a passkey since then");
    }

    @Test
    void a_name_of_an_erased_user_is_explained_on_every_instance_without_the_name() {
        service.admin().delete("/admin/users/ada").expect(204);
        pass();
        dismiss("ada");
        assertErased();
        restart();
        assertErased();

        traced.post("/auth/signup", "{\"userId\":\"Ada\"}").expectProblem(409, "user_exists");
        assertErased();
        restart();
        assertErased();
        assertThat(service.admin()
                        .get("/console/api/ceremonies?find=ada")
                        .expect(200)
                        .json()
                        .objects("ceremonies"))
                .isEmpty();
    }

    private void assertErased() {
        assertThat(cause().string("code")).isEqualTo("erased");
        assertThat(advice()).contains("for another name");
        assertThat(find().string("user")).isEmpty();
        assertThat(find().string("subject")).isEmpty();
        assertThat((Long) fact("user_erased").get("at"))
                .isLessThan(service.clock().millis());
    }

    @Test
    void an_attempt_from_before_the_erasure_of_its_user_is_erased_with_them() {
        dismiss("ada");
        pass();
        service.admin().delete("/admin/users/ada").expect(204);
        service.admin().get("/admin/ceremonies/" + SupportCode.of(TRACE)).expectProblem(404, "not_found");
        restart();
        service.admin().get("/admin/ceremonies/" + SupportCode.of(TRACE)).expectProblem(404, "not_found");
    }

    private void restart() {
        String database = service.databaseUrl();
        Duration ahead = Duration.between(Instant.now(), service.clock().instant());
        service.close();
        service = Service.at(database);
        service.clock().advance(ahead.plusSeconds(1));
        trace();
    }

    /** Time passes, so that one event is later than another. */
    private void pass() {
        pass(Duration.ofSeconds(2));
    }

    private void pass(Duration time) {
        service.clock().advance(time);
    }

    private void admin(String path) {
        service.admin().post(path).expect(204);
    }

    private String issue(String userId, long seconds) {
        String body = new JsonObject()
                .put("userId", userId)
                .put("ttlSeconds", seconds)
                .toString();
        return service.admin().post("/admin/enrollments", body).expect(201).field("token");
    }

    private TestResponse open(String token) {
        return traced.bearer(token).get(Person.REGISTER_OPTIONS);
    }

    private void dismiss(String userId) {
        String challenge = traced.get(Person.LOGIN_OPTIONS + Web.user(userId))
                .expect(200)
                .json()
                .string("challenge");
        report("login", "dismissed", challenge, userId);
    }

    private void report(String ceremony, String outcome, String challenge, String userId) {
        traced.post(
                        "/auth/passkey/report",
                        new JsonObject()
                                .put("ceremony", ceremony)
                                .put("outcome", outcome)
                                .put("error", "NotAllowedError")
                                .put("challenge", challenge)
                                .put("userId", userId)
                                .toString())
                .expect(204);
    }

    private JsonObject find() {
        return service.admin()
                .get("/admin/ceremonies/" + SupportCode.of(TRACE))
                .expect(200)
                .json()
                .objects("ceremonies")
                .get(0);
    }

    private JsonObject cause() {
        return find().object("cause");
    }

    private String advice() {
        return cause().string("advice");
    }

    private List<String> facts() {
        return find().objects("facts").stream().map(fact -> fact.string("name")).toList();
    }

    private JsonObject fact(String name) {
        JsonObject found = find();
        return found.objects("facts").stream()
                .filter(fact -> fact.string("name").equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(found.toString()));
    }
}
