// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How operators change clients, and what that ends. */
class OpenIdClientsTest extends OpenIdFixture {
    @Test
    void the_activity_of_a_client_has_its_sign_ins_and_refusals() {
        OpenIdClient shop = OpenIdClient.register(service.admin(), "");
        Person person = service.newUser().enroll();
        shop.signIn(person.bySession(), shop.request());
        client.signIn(person.bySession(), client.request());
        Map<String, String> request = shop.request();
        request.put("redirect_uri", "https://shop.example/typo");
        String page = shop.authorize(request).expect(400).body();

        JsonObject activity = service.admin()
                .get("/admin/clients/" + shop.id() + "/activity")
                .expect(200)
                .json();

        assertThat(activity.objects("logins"))
                .singleElement()
                .satisfies(signIn -> assertThat(signIn.string("userId")).isEqualTo(person.userId()));
        assertThat(activity.objects("refusals")).singleElement().satisfies(refusal -> {
            assertThat(page).contains("<code>" + refusal.string("supportCode") + "</code>");
            assertThat(refusal.string("reason")).isEqualTo("redirect_uri_mismatch");
            assertThat(refusal.string("parameter")).isEqualTo("redirect_uri");
            assertThat(refusal.string("expected")).isEqualTo(CALLBACK);
            assertThat(refusal.string("found")).isEqualTo("https://shop.example/typo");
        });
        assertThat(service.admin().get("/admin/clients").expect(200).json().objects("clients"))
                .filteredOn(listed -> listed.string("clientId").equals(shop.id()))
                .singleElement()
                .satisfies(listed -> assertThat(listed.names()).contains("lastLoginAt"));
        service.admin().get("/admin/clients/unknown/activity").expectProblem(404, "not_found");
    }

    @Test
    void a_client_that_is_registered_again_starts_without_sign_ins() {
        OpenIdClient shop = OpenIdClient.register(service.admin(), "");
        shop.signIn(signedIn(), shop.request());
        service.admin().delete("/admin/clients/" + shop.id()).expect(204);
        service.clock().advance(Duration.ofMillis(1));

        service.admin()
                .post("/admin/clients", "{\"clientId\":\"" + shop.id() + "\",\"redirectUris\":[\"" + CALLBACK + "\"]}")
                .expect(201);

        assertThat(service.admin()
                        .get("/admin/clients/" + shop.id() + "/activity")
                        .expect(200)
                        .json()
                        .objects("logins"))
                .isEmpty();
    }

    @Test
    void a_changed_client_keeps_its_secret_and_what_was_not_changed() {
        OpenIdClient shop = OpenIdClient.register(service.admin(), ",\"logoutUris\":[\"https://shop.example/bye\"]");
        String begun = shop.begin(shop.request());
        String path = "/admin/clients/" + shop.id();
        String uri = "https://shop.example/new";

        JsonObject changed = service.admin()
                .patch(path, "{\"redirectUris\":[\"" + uri + "\"],\"consent\":true}")
                .expect(200)
                .json();

        assertThat(changed.string("name")).isEqualTo("The App");
        assertThat(changed.get("redirectUris")).isEqualTo(List.of(uri));
        assertThat(changed.get("logoutUris")).isEqualTo(List.of("https://shop.example/bye"));
        assertThat(changed.flag("consent")).isTrue();
        OpenIdClient.proceed(signedIn(), begun).expect(400);
        shop.authorize(shop.request()).expect(400);
        for (String refused : List.of("{\"redirectUris\":[]}", "{\"name\":\" \"}", "{\"jwks\":{}}")) {
            service.admin().patch(path, refused).expectProblem(400, "invalid_client_settings");
        }
        service.admin()
                .patch(path, "{\"redirectUris\":[\"" + CALLBACK + "\"],\"consent\":false}")
                .expect(200);
        shop.redeem(shop.code(signedIn())).expect(200);
        assertThat(service.admin().get("/admin/audit?limit=50").expect(200).body())
                .containsPattern(
                        "\"client_changed\"[^}]*\"reason\":\"\",\"operator\":\"admin-token:[^}]*\"clientId\":\""
                                + shop.id() + "\",\"group\":\"\",\"changed\":\\[\"redirectUris\",\"consent\"]");
        assertThat(service.admin()
                        .get("/admin/audit?userId=" + shop.id())
                        .expect(200)
                        .body())
                .as("a client is not a user of the same name")
                .doesNotContain("client_changed");
    }

    private static TestResponse change(OpenIdClient changed, String members) {
        return service.admin().patch("/admin/clients/" + changed.id(), members);
    }

    @Test
    void a_removed_redirect_uri_ends_its_sign_ins() {
        OpenIdClient shop = OpenIdClient.register(service.admin(), "");
        Web browser = signedIn();
        JsonObject tokens = shop.redeem(shop.code(browser)).expect(200).json();
        String code = shop.code(browser);

        service.keepingSignIns(() -> {
            change(shop, "{\"redirectUris\":[\"https://shop.example/new\"]}").expect(200);

            shop.userinfo(tokens.string("access_token")).expect(401);
            assertThat(shop.redeem(code).expect(400).json().string("code")).isEqualTo("access_ended");
            assertThat(shop.refresh(tokens.string("refresh_token"))
                            .expect(400)
                            .json()
                            .string("code"))
                    .isEqualTo("access_ended");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"consent\":true",
                "\"refreshSeconds\":3600",
                "\"profile\":\"default\"",
                "\"requirePushedAuthorizationRequests\":true",
                "\"dpopBoundAccessTokens\":true"
            })
    void stricter_settings_end_sign_ins(String stricter) {
        OpenIdClient shop = OpenIdClient.register(service.admin(), ",\"profile\":\"basic\"");
        JsonObject tokens = shop.redeem(shop.code(signedIn())).expect(200).json();

        change(shop, "{\"name\":\"Shop\",\"refreshSeconds\":90000}").expect(200);
        shop.userinfo(tokens.string("access_token")).expect(200);
        change(shop, "{" + stricter + "}").expect(200);

        shop.userinfo(tokens.string("access_token")).expect(401);
        shop.refresh(tokens.string("refresh_token")).expect(400);
    }

    @ParameterizedTest
    @CsvSource({
        "redirectUris, https://app.example/callback https://app.example/2, https://app.example/2",
        "groups, '', deck",
        "groups, crew, deck",
        "groups, crew deck, deck",
    })
    void a_stricter_setting_that_is_taken_back_has_ended_sign_ins(String member, String before, String stricter) {
        OpenIdClient shop = OpenIdClient.register(service.admin(), ',' + texts(member, before));
        Web browser = member("crew").bySession();
        JsonObject tokens = shop.tokens(browser);
        String code = shop.code(browser);

        change(shop, '{' + texts(member, stricter) + '}').expect(200);
        change(shop, '{' + texts(member, before) + '}').expect(200);

        shop.userinfo(tokens.string("access_token")).expect(401);
        shop.redeem(code).expect(400);
        shop.refresh(tokens.string("refresh_token")).expect(400);
        shop.tokens(browser);
    }

    @Test
    void settings_that_allow_more_than_before_end_no_sign_in() {
        OpenIdClient shop = OpenIdClient.register(service.admin(), ",\"groups\":[\"crew\"]");
        Web browser = member("crew").bySession();
        JsonObject tokens = shop.tokens(browser);

        change(shop, "{\"redirectUris\":[\"https://app.example/2\",\"" + CALLBACK + "\"]}")
                .expect(200);
        change(shop, "{\"groups\":[\"deck\",\"crew\"]}").expect(200);
        change(shop, "{\"groups\":[\"crew\",\"deck\"]}").expect(200);
        change(shop, "{\"groups\":[]}").expect(200);

        shop.userinfo(tokens.string("access_token")).expect(200);
        shop.refresh(tokens.string("refresh_token")).expect(200);
    }

    /** A member of the settings, whose value is a list of these words. */
    private static String texts(String member, String words) {
        return '"' + member + "\":[" + (words.isEmpty() ? "" : '"' + words.replace(" ", "\",\"") + '"') + ']';
    }

    private static Person member(String group) {
        Person person = service.newUser().enroll();
        service.admin().post("/admin/groups/" + group + '/' + encoded(person)).expect(204);
        return person;
    }

    @Test
    void a_change_of_what_changed_in_the_meantime_is_refused() {
        OpenIdClient shop = OpenIdClient.register(service.admin(), "");
        // As if another operator changed the client after it was read.
        execute("CREATE TRIGGER overtaken BEFORE UPDATE ON porchlight_client BEGIN SELECT RAISE(IGNORE); END");
        try {
            change(shop, "{\"groups\":[\"staff\"]}").expectProblem(409, "conflicting_change");
        } finally {
            execute("DROP TRIGGER overtaken");
        }

        change(shop, "{\"groups\":[\"staff\"]}").expect(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"group\":[\"staff\"]", "\"public\":true", "\"clientId\":\"another\""})
    void unknown_members_are_refused(String member) {
        OpenIdClient shop = OpenIdClient.register(service.admin(), "");

        change(shop, "{" + member + "}").expectProblem(400, "invalid_client_settings");
        service.admin()
                .post(
                        "/admin/clients",
                        "{\"clientId\":\"misspelled\",\"redirectUris\":[\"" + CALLBACK + "\"],\"thirdParty\":true}")
                .expectProblem(400, "invalid_client_settings");
    }

    @Test
    void a_null_member_is_refused_and_does_not_open_the_client_to_all_users() {
        OpenIdClient limited = OpenIdClient.register(service.admin(), ",\"groups\":[\"insiders\"]");

        service.admin()
                .patch("/admin/clients/" + limited.id(), "{\"groups\":null}")
                .expectProblem(400, "invalid_client_settings");
    }
}
