// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Refused requests of clients are explained to operators. */
class OpenIdRefusalsTest extends OpenIdFixture {
    @Test
    void refusals_are_counted_and_logged_with_the_parameter() {
        Map<String, String> request = client.request();
        request.put("redirect_uri", "https://typo.example/callback");

        client.authorize(request).expect(400);

        assertThat(service.metrics())
                .contains("openid_requests_total{endpoint=\"authorize\",result=\"redirect_uri_mismatch\"}");
        assertThat(service.logs()).contains("https://typo.example/callback", CALLBACK);
    }

    @Test
    void the_support_code_of_a_refusal_leads_to_the_parameter() {
        Map<String, String> request = client.request();
        request.put("redirect_uri", "https://misspelled.example/callback");
        String page = client.authorize(request).expect(400).body();
        String supportCode = page.replaceAll("(?s).*<code>([^<]+)</code>.*", "$1");

        JsonObject ceremony = service.admin()
                .get("/console/api/ceremonies?find=" + supportCode)
                .expect(200)
                .json()
                .objects("ceremonies")
                .get(0);

        assertThat(ceremony.string("ceremony")).isEqualTo("openid");
        assertThat(ceremony.object("cause").string("code")).isEqualTo("redirect_uri_mismatch");
        JsonObject event = ceremony.objects("events").get(0);
        assertThat(event.string("client")).isEqualTo(client.id());
        assertThat(event.string("parameter")).isEqualTo("redirect_uri");
        assertThat(event.string("expected")).isEqualTo(CALLBACK);
        assertThat(event.string("found")).isEqualTo("https://misspelled.example/callback");
    }

    @Test
    void an_application_gets_the_support_code_of_its_refused_request() {
        Map<String, String> request = client.request();
        request.remove("code_challenge");
        String refused = OpenIdClient.response(client.authorize(request)).get("error_description");
        String invalid = client.refresh("forged").expect(400).json().string("error_description");

        assertThat(refused).startsWith("PKCE with S256 is required. Support code: ");
        assertThat(cause(refused).string("code")).isEqualTo("missing_pkce");
        assertThat(cause(invalid).string("code")).isEqualTo("invalid_refresh_token");
    }

    @Test
    void an_application_cannot_distinguish_another_user_from_none_by_a_support_code() {
        Map<String, String> silent = client.request("prompt", "none");
        Map<String, String> forAnother = new HashMap<>(silent);
        forAnother.put("claims", "{\"id_token\":{\"sub\":{\"value\":\"another\"}}}");

        assertThat(client.signIn(service.web(), silent)).containsEntry("error_description", "The user must sign in.");
        assertThat(client.signIn(signedIn(), forAnother)).containsEntry("error_description", "The user must sign in.");
    }

    @Test
    void a_missing_parameter_has_its_own_advice() {
        Map<String, String> withoutUri = client.request();
        withoutUri.remove("redirect_uri");

        JsonObject application =
                cause(service.web().get("/oauth2/authorize").expect(400).body());
        JsonObject uri = cause(client.authorize(withoutUri).expect(400).body());

        assertThat(application.string("what")).isEqualTo("The request does not name an application.");
        assertThat(uri.string("what")).contains("does not say where the user goes");
        assertThat(uri.string("advice")).startsWith("Set the redirect URI in the application.");
        assertThat(uri.string("expected")).isEqualTo(CALLBACK);
    }

    @Test
    void an_application_that_was_corrected_since_is_refused_no_more() {
        OpenIdClient shop = OpenIdClient.register(service.admin(), "");
        Map<String, String> wrongUri = shop.request();
        wrongUri.put("redirect_uri", "https://later.example/callback");
        Map<String, String> withoutPkce = shop.request();
        withoutPkce.remove("code_challenge");
        String uri = shop.authorize(wrongUri).expect(400).body();
        String pkce = OpenIdClient.response(shop.authorize(withoutPkce)).get("error_description");
        String unknown = service.web()
                .get("/oauth2/authorize?client_id=later" + shop.id())
                .expect(400)
                .body();
        assertThat(cause(uri).string("advice")).startsWith("Register the application with exactly");
        assertThat(cause(unknown).string("advice")).contains("clients add");

        service.admin()
                .patch(
                        "/admin/clients/" + shop.id(),
                        "{\"redirectUris\":[\"https://later.example/callback\"],\"profile\":\"basic\"}")
                .expect(200);
        service.admin()
                .post(
                        "/admin/clients",
                        "{\"clientId\":\"later" + shop.id() + "\",\"redirectUris\":[\"https://app.example/\"]}")
                .expect(201);

        for (String text : List.of(uri, pkce, unknown)) {
            assertThat(cause(text).string("advice")).isEqualTo("The user can try again.");
        }
        assertThat(cause(uri).string("what")).contains("was not registered", "It is now.");
        assertThat(cause(pkce).string("what")).contains("no longer needs it");
        assertThat(ceremony(uri).toString()).contains("client_changed", "admin-token:");

        service.admin().delete("/admin/clients/" + shop.id()).expect(204);
        assertThat(cause(uri).string("advice")).startsWith("The application was removed since then.");
    }

    @Test
    void a_user_who_joined_the_group_since_can_try_again() {
        OpenIdClient shop = OpenIdClient.register(service.admin(), ",\"groups\":[\"joined-later\"]");
        Person person = service.newUser().enroll();
        String refused = OpenIdClient.proceed(person.bySession(), shop.begin(shop.request()))
                .expect(403)
                .body();
        assertThat(cause(refused).string("advice")).startsWith("Add the user to one of the groups");

        service.admin().post("/admin/groups/joined-later/" + encoded(person)).expect(204);

        assertThat(cause(refused).string("code")).isEqualTo("not_in_group");
        assertThat(cause(refused).string("what")).contains("was in none of the groups", "They may use it now.");
        assertThat(ceremony(refused).string("user")).isEqualTo(person.userId());
        assertThat(ceremony(refused).toString()).contains("group_member_added", "joined-later");
    }

    @Test
    void a_browser_gets_a_page_with_a_support_code_while_the_database_is_down() {
        Service broken = Service.on(TestDatabase.SQLITE);
        try (broken) {
            OpenIdClient shop = OpenIdClient.register(broken.admin(), "");
            Web browser = broken.web().with("Accept", "text/html,*/*");
            String path = "/oauth2/authorize?" + OpenIdClient.form(shop.request());
            broken.clock().advance(Duration.ofMinutes(1)); // the clients are read again
            broken.withSql(sql -> sql.update("ALTER TABLE porchlight_client RENAME TO gone"));

            TestResponse page = browser.get(path).expect(503);
            assertThat(page.header("Content-Type")).startsWith("text/html");
            assertThat(page.header("Retry-After")).isEqualTo("1");
            assertThat(page.body()).contains("The service isn’t responding.", "href=\"/oauth2/authorize?", "Try again");
            String code = code(page.body());
            assertThat(broken.admin()
                            .get("/admin/ceremonies/" + code)
                            .expect(200)
                            .body())
                    .contains("\"client\":\"" + shop.id() + '"', "\"code\":\"unavailable\"");
            broken.web().get(path).expectProblem(503, "storage_unavailable");

            broken.withSql(sql -> sql.update("ALTER TABLE gone RENAME TO porchlight_client"));
            browser.get(path).expect(303);
            assertThat(broken.admin()
                            .get("/admin/ceremonies/" + code)
                            .expect(200)
                            .body())
                    .contains("The database responds now, so the user can try again.");
        }
    }

    private static String code(String text) {
        return text.replaceAll("(?s).*\\b([0-9A-Z]{2}-[0-9A-Z]{3})\\b.*", "$1");
    }

    private JsonObject ceremony(String text) {
        return service.admin()
                .get("/admin/ceremonies/" + code(text))
                .expect(200)
                .json()
                .objects("ceremonies")
                .get(0);
    }

    /** The cause of the refusal whose support code is in a text. */
    private JsonObject cause(String text) {
        return ceremony(text).object("cause");
    }

    @Test
    void requests_of_strangers_leave_no_audit_row() {
        int before = service.rows("porchlight_audit").size();
        Map<String, String> mismatch = client.request();
        mismatch.put("redirect_uri", "https://evil.example/");
        Map<String, String> withoutPkce = client.request();
        withoutPkce.remove("code_challenge");

        service.web().get("/oauth2/authorize?client_id=unknown").expect(400);
        service.web().get("/oauth2/authorize?client_id=%ff").expect(400);
        service.web().get("/oauth2/continue?request=forged").expect(400);
        service.web().get("/oauth2/logout?client_id=unknown").expect(400);
        client.authorize(mismatch).expect(400);
        client.authorize(withoutPkce).expect(303);
        client.post(service.web(), "/oauth2/token", Map.of("client_id", client.id()))
                .expect(401);
        client.refresh("forged").expect(400);
        service.web().bearer("forged").get("/oauth2/userinfo").expect(401);
        assertThat(service.rows("porchlight_audit")).hasSize(before);

        Person person = service.newUser().enroll();
        String code = client.code(person.bySession());
        client.redeem(code).expect(200);
        client.redeem(code).expect(400);
        assertThat(service.admin()
                        .get("/admin/audit?limit=5&userId=" + encoded(person))
                        .expect(200)
                        .body())
                .contains("client_token", "\"reason\":\"replayed_code\"", "\"clientId\":\"" + client.id() + '"');
    }

    @Test
    void silent_requests_do_not_fill_the_audit_log() {
        Web browser = signedIn();
        Map<String, String> silent = new HashMap<>(client.request());
        silent.put("prompt", "none");
        assertThat(client.signIn(browser, silent)).containsKey("code");
        int before = service.rows("porchlight_audit").size();

        assertThat(client.signIn(browser, silent)).containsKey("code");
        OpenIdClient third = OpenIdClient.register(service.admin(), ",\"consent\":true");
        int registered = service.rows("porchlight_audit").size();
        Map<String, String> unknown = new HashMap<>(third.request());
        unknown.put("prompt", "none");
        assertThat(third.signIn(browser, unknown)).containsEntry("error", "consent_required");

        assertThat(registered).isEqualTo(before + 1); // the new client
        assertThat(service.rows("porchlight_audit")).hasSize(registered);
        service.clock().advance(Duration.ofMinutes(6));
        assertThat(client.signIn(browser, silent)).containsKey("code");
        assertThat(service.rows("porchlight_audit")).hasSize(registered);
        assertThat(client.signIn(browser, client.request())).containsKey("code");
        assertThat(service.rows("porchlight_audit")).hasSize(registered + 1);
    }

    @Test
    void a_wrong_secret_is_shown_with_its_client() {
        OpenIdClient shop = OpenIdClient.register(service.admin(), "");
        String basic =
                com.nimbusds.jose.util.Base64.encode(shop.id() + ":wrong").toString();

        service.web()
                .with("Authorization", "Basic " + basic)
                .with("Content-Type", "application/x-www-form-urlencoded")
                .send("POST", "/oauth2/token", "grant_type=x")
                .expect(401);
        shop.redeem("x").expect(400);

        assertThat(service.admin()
                        .get("/admin/clients/" + shop.id() + "/activity")
                        .expect(200)
                        .body())
                .contains("invalid_client", "invalid_code", "a code of the last 60 seconds", "another text");
    }

    @Test
    void long_texts_of_a_request_are_cut_in_the_log() {
        String name = "n".repeat(3_000);
        String id = "i".repeat(3_000);

        service.web()
                .get("/oauth2/authorize?client_id=" + id + "&redirect_uri=" + id)
                .expect(400);
        service.web()
                .get("/oauth2/authorize?" + OpenIdClient.form(client.request()) + "&" + name + "=1&" + name + "=2")
                .expect(303);

        assertThat(service.logs()).contains("i".repeat(200), "n".repeat(200));
        assertThat(service.logs()).doesNotContain("i".repeat(300), "n".repeat(300));
    }
}
