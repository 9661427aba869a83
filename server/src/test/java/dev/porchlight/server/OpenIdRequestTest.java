// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The authorization request, from the client to the page that leads back to it. */
class OpenIdRequestTest extends OpenIdFixture {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://app.example/callback/",
                "https://app.example/callback?x=1",
                "https://app.example/callback#x",
                "https://app.example:443/callback",
                "https://APP.example/callback",
                "https://app.example/%63allback",
                "https://app.example/a/../callback",
                "https://app.example@evil.example/callback",
                "https://app.example.evil.example/callback",
                "http://app.example/callback",
                "//app.example/callback",
                "/callback",
                ""
            })
    void an_unregistered_redirect_uri_gets_a_page_and_no_redirect(String uri) {
        Map<String, String> request = client.request();
        request.put("redirect_uri", uri);

        TestResponse response = client.authorize(request).expect(400);

        assertThat(response.header("Location")).isNull();
        assertThat(response.header("Content-Type")).startsWith("text/html");
        assertThat(response.body()).contains("support");
    }

    @ParameterizedTest
    @CsvSource({
        "response_type, token, unsupported_response_type",
        "response_type, code id_token, unsupported_response_type",
        "response_mode, fragment, invalid_request",
        "code_challenge_method, plain, invalid_request",
        "code_challenge_method, '', invalid_request",
        "code_challenge, '', invalid_request",
        "scope, profile, invalid_scope",
        "prompt, create, invalid_request",
        "prompt, none login, invalid_request",
        "prompt, login  consent, invalid_request",
        "id_token_hint, eyJhbGciOiJub25lIn0.e30., invalid_request",
        "claims, '{\"id_token\":{\"sub\":{\"values\":[\"a\",\"b\"]}}}', invalid_request",
        "claims, '{\"id_token\":{\"sub\":{\"value\":\"a\"}},\"userinfo\":{\"sub\":{\"value\":\"b\"}}}',"
                + " invalid_request",
        "max_age, -1, invalid_request",
        "request, eyJhbGciOiJub25lIn0.e30., request_not_supported"
    })
    void an_invalid_request_is_reported_to_the_client(String name, String value, String error) {
        Map<String, String> request = client.request();
        request.put(name, value);

        String location = client.authorize(request).expect(303).header("Location");

        assertThat(location).startsWith(CALLBACK + "?");
        assertThat(OpenIdClient.response(location))
                .containsEntry("error", error)
                .containsEntry("state", "the state")
                .containsEntry("iss", "http://localhost")
                .doesNotContainKey("code");
    }

    @Test
    void a_repeated_parameter_is_refused() {
        String query = OpenIdClient.form(client.request());

        TestResponse redirected =
                service.web().get("/oauth2/authorize?" + query + "&nonce=2").expect(303);
        assertThat(OpenIdClient.response(redirected.header("Location"))).containsEntry("error", "invalid_request");
        service.web()
                .get("/oauth2/authorize?" + query + "&redirect_uri=https://evil.example/")
                .expect(400);
        service.web().get("/oauth2/authorize?" + query + "&client_id=x").expect(400);
    }

    @Test
    void a_user_who_is_not_signed_in_must_sign_in_first() {
        TestResponse next = OpenIdClient.proceed(service.web(), client.begin(client.request()))
                .expect(303);

        assertThat(next.header("Location")).startsWith("/?request=");
    }

    @Test
    void the_sign_in_page_learns_the_name_of_the_client() {
        String sealed = client.begin(client.request());

        assertThat(service.web()
                        .get("/oauth2/request?request=" + sealed)
                        .expect(200)
                        .json()
                        .string("name"))
                .isEqualTo("The App");
        service.web().get("/oauth2/request?request=x").expectProblem(404, "not_found");
    }

    @Test
    void prompt_none_never_shows_anything() {
        Map<String, String> request = client.request();
        request.put("prompt", "none");
        String page = client.authorize(request).expect(200).body();
        assertThat(page).contains("url=/oauth2/continue?request=").doesNotContain("<main", "<a ");

        assertThat(client.signIn(service.web(), request)).containsEntry("error", "login_required");
        assertThat(client.signIn(signedIn(), request)).containsKey("code");
    }

    @Test
    void only_members_of_its_groups_sign_in_to_a_client() throws Exception {
        OpenIdClient limited = OpenIdClient.register(service.admin(), ",\"groups\":[\"staff\"]");
        Person person = service.newUser().enroll();
        Web browser = person.bySession();

        TestResponse refused =
                OpenIdClient.proceed(browser, limited.begin(limited.request())).expect(403);
        assertThat(refused.body()).contains("error=access_denied", "support");

        service.admin().post("/admin/groups/staff/" + encoded(person)).expect(204);
        JsonObject tokens = limited.redeem(limited.code(browser)).expect(200).json();
        assertThat(claims(tokens.string("id_token")).getStringListClaim("groups"))
                .containsExactly("staff");
    }

    @Test
    void an_expired_request_gets_a_page() {
        Web browser = signedIn();
        String sealed = client.begin(client.request());
        service.clock().advance(Duration.ofMinutes(16));

        assertThat(OpenIdClient.proceed(browser, sealed).expect(400).body()).contains("took too long");
        OpenIdClient.proceed(browser, "forged").expect(400);
    }

    @Test
    void another_site_cannot_make_a_browser_complete_a_request() {
        signedIn()
                .with("Sec-Fetch-Site", "cross-site")
                .get("/oauth2/continue?request=" + client.begin(client.request()))
                .expectProblem(403, "cross_site");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void prompt_consent_asks_again(boolean thirdParty) {
        OpenIdClient asking = OpenIdClient.register(service.admin(), ",\"consent\":" + thirdParty);
        Web browser = signedIn();
        if (thirdParty) {
            assertThat(consent(browser, asking.begin(asking.request()), "agree"))
                    .contains("?code=");
        }
        Map<String, String> request = asking.request();
        request.put("prompt", "consent");
        String sealed = asking.begin(request);

        assertThat(OpenIdClient.proceed(browser, sealed).expect(200).body()).contains("Allow");
        assertThat(consent(browser, sealed, "deny")).contains("error=access_denied");
        assertThat(consent(browser, sealed, "agree")).contains(CALLBACK + "?code=");
    }

    @Test
    void prompt_select_account_shows_the_sign_in_page() {
        Map<String, String> request = client.request();
        request.put("prompt", "select_account");
        Web browser = signedIn();

        String location = client.authorize(request).expect(303).header("Location");

        assertThat(location).startsWith("/?request=");
        String sealed = location.substring("/?request=".length());
        assertThat(browser.get("/oauth2/request?request=" + sealed).json().names())
                .contains("userId"); // who may continue, beside another account
    }

    @ParameterizedTest
    @ValueSource(strings = {"id_token_hint", "claims"})
    void a_request_for_one_user_signs_no_one_else_in(String parameter) {
        Person expected = service.newUser().enroll();
        Person other = service.newUser().enroll();
        Web expecting = expected.bySession();
        String value = parameter.equals("claims")
                ? "{\"id_token\":{\"sub\":{\"value\":\"" + service.subject(expected) + "\"}}}"
                : client.redeem(client.code(expecting)).json().string("id_token");
        Map<String, String> request = client.request();
        request.put(parameter, value);

        assertThat(client.signIn(expecting, request)).containsKey("code");
        String sealed = client.begin(request);
        Web before = other.bySession();
        JsonObject shown = before.get("/oauth2/request?request=" + sealed).json();
        assertThat(shown.names()).doesNotContain("userId");
        assertThat(shown.string("loginHint", "")).isEqualTo(parameter.equals("claims") ? "" : expected.userId());
        TestResponse asked = OpenIdClient.proceed(before, sealed);
        assertThat(asked.header("Location")).startsWith("/?request=");
        assertThat(OpenIdClient.proceed(other.bySession(), sealed).header("Location"))
                .startsWith("/?request="); // signed in for something else
        // After the wrong user used the passkey for this request, the client gets an error.
        Web wrong = OpenIdClient.signInFor(other, sealed);
        assertThat(OpenIdClient.response(
                        OpenIdClient.proceed(wrong, OpenIdClient.sealed(asked)).header("Location")))
                .containsEntry("error", "login_required")
                .doesNotContainKey("code");
        request.put("prompt", "none");
        assertThat(client.signIn(before, request)).containsEntry("error", "login_required");
        assertThat(client.signIn(expected.bySession(), request)).containsKey("code");
    }

    @Test
    void an_id_token_of_another_client_is_no_hint() {
        OpenIdClient other = OpenIdClient.register(service.admin(), "");
        Map<String, String> request = client.request();
        request.put(
                "id_token_hint",
                other.redeem(other.code(signedIn())).expect(200).json().string("id_token"));

        assertThat(OpenIdClient.response(client.authorize(request).header("Location")))
                .containsEntry("error", "invalid_request");
    }

    @Test
    void unknown_parameters_and_scopes_are_ignored() {
        Map<String, String> request = client.request();
        request.put("unknown", "x");
        request.put("scope", "openid phone unknown");
        request.put("display", "popup");
        request.put("ui_locales", "fr");
        request.put("claims_locales", "fr");
        request.put("acr_values", "phr");

        String code = client.signIn(signedIn(), request).get("code");

        assertThat(client.redeem(code).expect(200).json().string("scope")).isEqualTo("openid");
    }

    @Test
    void a_response_can_be_a_form() {
        Web browser = signedIn();
        TestResponse page = OpenIdClient.proceed(browser, client.begin(client.request("response_mode", "form_post")));

        assertThat(page.expect(200).body())
                .contains("method=\"post\" action=\"" + OpenIdClient.REDIRECT_URI + "\"")
                .contains("name=\"iss\" value=\"http://localhost\"", "name=\"state\" value=\"the state\"");
        Matcher code = Pattern.compile("name=\"code\" value=\"([^\"]+)\"").matcher(page.body());
        assertThat(code.find()).isTrue();
        client.redeem(code.group(1)).expect(200);
        assertThat(page.header("Content-Security-Policy"))
                .contains("script-src 'sha256-")
                .contains("default-src 'none'");
        Map<String, String> refused = client.request("response_mode", "form_post");
        refused.put("prompt", "create");
        assertThat(client.authorize(refused).expect(200).body()).contains("name=\"error\" value=\"invalid_request\"");
    }

    @Test
    void a_refused_request_object_gets_its_response_in_the_mode_that_it_names() {
        String object = new PlainJWT(new JWTClaimsSet.Builder()
                        .claim("response_mode", "form_post")
                        .build())
                .serialize();

        assertThat(client.authorize(client.request("request", object))
                        .expect(200)
                        .body())
                .contains("name=\"error\" value=\"request_not_supported\"");
        client.authorize(client.request("request", "no object")).expect(303);
    }
}
