// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What applications learn from the profile of a user. */
class OpenIdProfileTest extends OpenIdFixture {
    private static final String PROFILE =
            "{\"name\":\"Ada Lovelace\",\"givenName\":\"Ada\",\"familyName\":\"Lovelace\",\"email\":\"ada@example.com\","
                    + "\"emailVerified\":true,\"locale\":\"en-GB\",\"picture\":\"https://example.com/ada.png\","
                    + "\"claims\":{\"level\":3,\"staff\":true,\"team\":\"core\",\"sites\":[\"Linz\",\"Graz\"]}}";

    private final Person person = service.newUser().enroll();
    private final Web browser = person.bySession();

    @Test
    void the_scopes_profile_and_email_have_their_claims_in_both_places() throws Exception {
        change(PROFILE);

        JsonObject tokens = tokens(client, "openid profile email");

        JsonObject user = userinfo(tokens);
        assertThat(user.names())
                .containsExactlyInAnyOrder(
                        "sub",
                        "preferred_username",
                        "name",
                        "given_name",
                        "family_name",
                        "locale",
                        "picture",
                        "updated_at",
                        "email",
                        "email_verified");
        assertThat(user.string("name")).isEqualTo("Ada Lovelace");
        assertThat(user.string("locale")).isEqualTo("en-GB");
        assertThat(user.flag("email_verified")).isTrue();
        assertThat((Long) user.get("updated_at")).isBetween(1_600_000_000L, 100_000_000_000L); // seconds
        assertThat(claims(tokens.string("id_token")).getClaims())
                .containsEntry("name", "Ada Lovelace")
                .containsEntry("email", "ada@example.com")
                .containsEntry("email_verified", true);
        assertThat(claims(tokens.string("access_token")).getClaims()).doesNotContainKeys("name", "email", "locale");
        assertThat(service.web().get("/.well-known/openid-configuration").json().get("claims_supported"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .containsAll(user.names());
    }

    @Test
    void each_scope_has_only_its_own_claims() throws Exception {
        change(PROFILE);

        assertThat(userinfo(tokens(client, "openid email")).names())
                .containsExactlyInAnyOrder("sub", "email", "email_verified");
        assertThat(userinfo(tokens(client, "openid profile")).names()).doesNotContain("email", "email_verified");
        assertThat(userinfo(tokens(client, "openid")).names()).containsExactly("sub");
    }

    @Test
    void a_client_receives_the_custom_claims_that_it_is_configured_for() throws Exception {
        change(PROFILE);
        String group = "crew-" + System.identityHashCode(this);
        service.admin()
                .patch("/admin/groups/" + group, "{\"claims\":{\"level\":1,\"building\":7,\"secret\":true}}")
                .expect(204);
        service.admin().post("/admin/groups/" + group + "/" + encoded(person)).expect(204);
        OpenIdClient configured =
                OpenIdClient.register(service.admin(), ",\"claims\":[\"level\",\"sites\",\"building\",\"missing\"]");

        JsonObject tokens = tokens(configured, "openid profile");

        assertThat(userinfo(tokens).names())
                .contains("level", "sites", "building")
                .doesNotContain("staff", "team", "secret", "missing");
        assertThat(claims(tokens.string("id_token")).getClaims())
                .containsEntry("level", 3L) // the user's own, not the group's
                .containsEntry("building", 7L)
                .containsEntry("sites", List.of("Linz", "Graz"));
        assertThat(userinfo(tokens(configured, "openid email")).names()).doesNotContain("level");
        assertThat(userinfo(tokens(client, "openid profile")).names()).doesNotContain("level", "building");
        service.admin()
                .patch("/admin/clients/" + configured.id(), "{\"claims\":[\"aud\"]}")
                .expect(400);
    }

    @Test
    void userinfo_has_the_present_profile() throws Exception {
        change(PROFILE);
        JsonObject tokens = tokens(client, "openid profile email");

        change("{\"name\":\"Countess Lovelace\",\"email\":\"countess@example.com\"}");

        assertThat(userinfo(tokens).string("name")).isEqualTo("Countess Lovelace");
        assertThat(userinfo(tokens).string("email")).isEqualTo("countess@example.com");
        assertThat(userinfo(tokens).flag("email_verified")).isFalse();
    }

    @Test
    void the_consent_page_names_the_scopes() {
        OpenIdClient third = OpenIdClient.register(service.admin(), ",\"consent\":true");
        Map<String, String> request = third.request();
        request.put("scope", "openid email");

        String page =
                OpenIdClient.proceed(browser, third.begin(request)).expect(200).body();

        assertThat(page).contains("your email address").doesNotContain("profile data");
    }

    private void change(String profile) {
        service.admin().patch("/admin/users/" + encoded(person), profile).expect(204);
    }

    private JsonObject tokens(OpenIdClient by, String scope) {
        Map<String, String> request = by.request();
        request.put("scope", scope);
        return by.redeem(by.signIn(browser, request).get("code")).expect(200).json();
    }

    private static JsonObject userinfo(JsonObject tokens) {
        return client.userinfo(tokens.string("access_token")).expect(200).json();
    }
}
