// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The consent of users to applications of third parties. */
class OpenIdConsentTest extends OpenIdFixture {
    @Test
    void a_third_party_needs_consent_once() {
        OpenIdClient third = OpenIdClient.register(service.admin(), ",\"consent\":true");
        Web browser = signedIn();
        String sealed = third.begin(third.request());
        assertThat(OpenIdClient.proceed(browser, sealed).expect(200).body())
                .contains("The App", "Allow", "while you’re away");

        assertThat(consent(browser, sealed, "deny")).contains("error=access_denied");
        assertThat(consent(browser, sealed, "agree")).contains(CALLBACK + "?code=");

        assertThat(third.signIn(browser, third.request())).containsKey("code");
    }

    @Test
    void a_user_revokes_the_consent_and_the_tokens_end() {
        OpenIdClient third = OpenIdClient.register(service.admin(), ",\"consent\":true");
        Web browser = signedIn();
        JsonObject tokens = redeemed(third, consent(browser, third.begin(third.request()), "agree"));
        assertThat(browser.get("/auth/applications").expect(200).body()).contains(third.id(), "The App", "profile");

        signedIn().delete("/auth/applications/" + third.id()).expectProblem(404, "not_found");
        browser.delete("/auth/applications/" + third.id()).expect(204);

        third.refresh(tokens.string("refresh_token")).expect(400);
        assertThat(browser.get("/auth/applications").json().objects("applications"))
                .isEmpty();
        OpenIdClient.proceed(browser, third.begin(third.request())).expect(200); // asks again
    }

    @Test
    void agreeing_to_fewer_scopes_ends_sign_ins_with_more() {
        OpenIdClient third = thirdParty();
        Web browser = signedIn();
        JsonObject wide = redeemed(third, consent(browser, third.begin(third.request()), "agree"));
        String unredeemed = third.signIn(browser, third.request()).get("code");
        Map<String, String> narrow = third.request();
        narrow.put("scope", "openid");
        narrow.put("prompt", "consent");
        JsonObject tokens = redeemed(third, consent(browser, third.begin(narrow), "agree"));

        assertThat(browser.get("/auth/applications")
                        .json()
                        .objects("applications")
                        .get(0)
                        .get("scopes"))
                .isEqualTo(List.of("openid"));
        third.userinfo(wide.string("access_token")).expect(401);
        third.refresh(wide.string("refresh_token")).expect(400);
        third.redeem(unredeemed).expect(400);
        third.userinfo(tokens.string("access_token")).expect(200);
        third.refresh(tokens.string("refresh_token")).expect(200);

        redeemed(third, consent(browser, third.begin(third.request()), "agree"));
        third.userinfo(tokens.string("access_token")).expect(200); // it has no other scope
    }

    /** An erasure locks them in this order; in the other order the database would end one of the two as a deadlock. */
    @Test
    void a_sign_in_locks_the_user_before_the_consent() {
        try (Service own = Service.on(TestDatabase.POSTGRES)) {
            OpenIdClient third = OpenIdClient.register(own.admin(), ",\"consent\":true");
            Person person = own.newUser().enroll();
            Web browser = person.bySession();
            consent(browser, third.begin(third.request()), "agree");

            Map<String, String> response = own.withSql(sql -> sql.transaction("lock the user", connection -> {
                        SqlCredentialStore.lock(connection, person.userId());
                        var signIn = CompletableFuture.supplyAsync(() -> third.signIn(browser, third.request()));
                        await().until(() -> signIn.isDone() || TestDatabase.isWaiting(sql));
                        assertThat(Sql.query(
                                        connection,
                                        "SELECT scopes FROM porchlight_openid_consent FOR UPDATE SKIP LOCKED",
                                        row -> row.getString(1)))
                                .hasSize(1);
                        return signIn;
                    })
                    .join());

            assertThat(response).containsKey("code");
        }
    }

    private static JsonObject redeemed(OpenIdClient client, String page) {
        return client.redeem(page.replaceAll("(?s).*[?]code=([^&]+).*", "$1"))
                .expect(200)
                .json();
    }

    @Test
    void a_client_without_a_consent_keeps_its_tokens() {
        Web browser = signedIn();
        JsonObject tokens = client.redeem(client.code(browser)).expect(200).json();

        browser.delete("/auth/applications/" + client.id()).expectProblem(404, "not_found");

        client.refresh(tokens.string("refresh_token")).expect(200);
    }

    private static OpenIdClient thirdParty() {
        return OpenIdClient.register(service.admin(), ",\"consent\":true");
    }

    @Test
    void a_silent_request_reveals_nothing_about_the_user_before_consent() {
        OpenIdClient third = OpenIdClient.register(service.admin(), ",\"consent\":true,\"groups\":[\"insiders\"]");
        Person person = service.newUser().enroll();
        Web browser = person.bySession();
        Map<String, String> request = third.request();
        request.put("prompt", "none");
        assertThat(third.signIn(browser, request)).as("not a member").containsEntry("error", "consent_required");

        for (String subject : new String[] {service.subject(person), "someone-else"}) {
            request.put("claims", "{\"id_token\":{\"sub\":{\"value\":\"" + subject + "\"}}}");
            assertThat(third.signIn(browser, request)).as(subject).containsEntry("error", "consent_required");
        }
    }

    @Test
    void a_client_does_not_learn_that_another_user_is_signed_in() {
        Map<String, String> request = client.request();
        request.put("prompt", "none");
        request.put("claims", "{\"id_token\":{\"sub\":{\"value\":\"someone-else\"}}}");

        assertThat(client.signIn(signedIn(), request)).isEqualTo(client.signIn(service.web(), request));
    }

    @Test
    void a_consent_that_is_revoked_at_the_same_time_yields_no_code() {
        OpenIdClient third = thirdParty();
        Web browser = signedIn();
        assertThat(consent(browser, third.begin(third.request()), "agree")).contains("?code=");
        // As if the user revoked it after it was read.
        execute("CREATE TRIGGER revoked BEFORE UPDATE ON porchlight_openid_consent BEGIN SELECT RAISE(IGNORE); END");
        try {
            assertThat(OpenIdClient.proceed(browser, third.begin(third.request()))
                            .expect(303)
                            .header("Location"))
                    .startsWith("/?request=");
            Map<String, String> silent = third.request();
            silent.put("prompt", "none");
            assertThat(third.signIn(browser, silent)).containsEntry("error", "login_required");
            assertThat(service.logs()).contains("prompt=none without a session").doesNotContain("null seconds");
        } finally {
            execute("DROP TRIGGER revoked");
        }
        assertThat(third.signIn(browser, third.request())).containsKey("code");
    }

    @Test
    void a_code_that_is_issued_while_the_settings_become_stricter_yields_no_tokens() {
        OpenIdClient shop = OpenIdClient.register(service.admin(), "");
        Web browser = signedIn();
        String code = shop.code(browser);
        // As if the change was committed just before the code, and had found nothing to end.
        service.keepingSignIns(() -> {
            execute("UPDATE porchlight_client SET generation = 1 WHERE client_id = '" + shop.id() + "'");

            assertThat(shop.redeem(code).expect(400).json().string("code")).isEqualTo("access_ended");
        });
        shop.redeem(shop.code(browser)).expect(200);
    }

    @Test
    void a_later_sign_in_does_not_renew_the_consent() {
        OpenIdClient third = thirdParty();
        Web browser = signedIn();
        assertThat(consent(browser, third.begin(third.request()), "agree")).contains("?code=");
        String agreed = browser.get("/auth/applications").expect(200).body();
        service.clock().advance(Duration.ofSeconds(1));

        assertThat(third.signIn(browser, third.request())).containsKey("code");

        assertThat(browser.get("/auth/applications").expect(200).body()).isEqualTo(agreed);
    }

    @Test
    void a_denial_counts_after_consent_in_another_tab() {
        OpenIdClient third = thirdParty();
        Web browser = signedIn();
        String open = consentForm(OpenIdClient.proceed(browser, third.begin(third.request())));
        assertThat(consent(browser, third.begin(third.request()), "agree")).contains("?code=");

        assertThat(decide(browser, open, "deny"))
                .contains("error=access_denied")
                .doesNotContain("code=");
    }

    @Test
    void only_the_user_who_saw_the_form_can_agree() {
        OpenIdClient third = thirdParty();
        String sealed = third.begin(third.request());
        String form = consentForm(OpenIdClient.proceed(signedIn(), sealed));
        Web other = signedIn();

        for (String forOthers : new String[] {form, sealed}) {
            assertThat(decide(other, forOthers, "agree"))
                    .contains("name=\"decision\"")
                    .doesNotContain("code=");
        }
        assertThat(consent(other, form, "agree")).contains("?code=");
    }
}
