// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.wire.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An explanation is true when it is read: what happened since the failure changes the advice, and never the cause. */
class AftermathTest extends FailedRequests {
    private static final String SIGNED_IN = "has signed in since then";
    private static final String NO_LINK = "no passkey now, and no valid enrollment link";
    private static final String HAS_LINK = "has a valid enrollment link, and opens that one";

    @BeforeEach
    void later() {
        pass();
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

        link("ada");
        assertThat(advice()).contains(HAS_LINK);
        assertThat(fact("open_link_issued").string("by")).startsWith("admin-token:");
        pass(Duration.ofMinutes(11));
        assertThat(advice()).contains(NO_LINK);
    }

    @Test
    void a_user_who_had_no_passkey_and_has_one_now_can_try_again() {
        link("sam");
        pass();
        dismiss("sam");
        assertThat(cause().string("code")).isEqualTo("no_passkey");
        assertThat(advice()).contains(HAS_LINK);

        pass();
        service.person("sam", SoftAuthenticator.securityKey())
                .register(link("sam"))
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
        link("sam");

        assertThat(cause().string("code")).isEqualTo("unknown_user");
        assertThat(cause().string("what")).contains("There was no user with this name. One was created since.");
        assertThat(advice()).contains(HAS_LINK);
    }

    @Test
    void a_link_that_failed_is_explained_as_it_is_now() {
        String token = link("sam");
        open(token.substring(0, 30)).expectProblem(401, "enrollment_damaged");
        assertThat(advice()).contains("still works if it is copied completely");

        pass();
        admin("/admin/users/sam/sign-out");
        assertThat(cause().string("what")).contains("has ended since");
        assertThat(advice()).contains("Issue a new one").doesNotContain("still works");
        assertThat(fact("enrollment_ended").string("by")).startsWith("admin-token:");
        assertThat(facts()).doesNotContain("enrollment_valid_until");

        String second = link("sam");
        assertThat(advice()).contains(HAS_LINK);
        pass();
        service.person("sam", SoftAuthenticator.securityKey()).register(second).expect(201);
        assertThat(cause().string("code")).isEqualTo("enrollment_damaged");
        assertThat(advice()).contains(SIGNED_IN);
    }

    @Test
    void a_passkey_that_was_added_since_leaves_nothing_to_do() {
        JsonObject options = ada.byToken()
                .with("traceparent", TRACE_PARENT)
                .get(Person.REGISTER_OPTIONS)
                .expect(200)
                .json();
        report("registration", "dismissed", "NotAllowedError", options.string("challenge"), "ada");
        assertThat(advice()).contains("The user can try again.");

        pass();
        ada.login().expect(200);
        assertThat(advice()).contains("The user can try again."); // a sign-in adds no passkey
        service.person("ada", SoftAuthenticator.securityKey())
                .register(link("ada"))
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
        service.admin().get(ROUTE + CODE).expectProblem(404, "not_found");
        restart();
        service.admin().get(ROUTE + CODE).expectProblem(404, "not_found");
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

    private String link(String userId) {
        return issue(userId, 600).field("token");
    }

    private void dismiss(String userId) {
        report("dismissed", "NotAllowedError", userId);
    }

    private JsonObject cause() {
        return find().object("cause");
    }

    private String advice() {
        return cause().string("advice");
    }

    private List<String> facts() {
        return factNames(find());
    }

    private JsonObject fact(String name) {
        return fact(find(), name);
    }
}
