// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Web;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a signed-in user reaches an application without a click. */
class OpenIdAutomaticTest extends OpenIdFixture {

    /** Whether the sign-in page leads on at once; null if the user has to use the passkey. */
    private static Boolean automatic(Web browser, String sealed) {
        var shown = browser.get("/oauth2/request?request=" + sealed).expect(200).json();
        return shown.has("userId") ? shown.flag("automatic") : null;
    }

    private static OpenIdClient application(String settings) {
        return OpenIdClient.register(service.admin(), settings);
    }

    @Test
    void a_signed_in_user_reaches_another_application_without_a_click() {
        Web browser = signedIn();
        client.code(browser);
        OpenIdClient second = application("");

        assertThat(automatic(browser, second.begin(second.request()))).isTrue();
        assertThat(automatic(service.web(), second.begin(second.request()))).isNull();
    }

    @Test
    void an_application_that_asks_again_at_once_asks_the_user() {
        Web browser = signedIn();
        client.code(browser);

        assertThat(automatic(browser, client.begin(client.request()))).isFalse();
        service.clock().advance(Duration.ofSeconds(301));
        assertThat(automatic(browser, client.begin(client.request()))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "prompt, select_account, false",
        "prompt, consent, false",
        "prompt, login, ",
        "max_age, 0, ",
        "max_age, 3600, true",
        "login_hint, another user, false"
    })
    void a_request_can_demand_more(String parameter, String value, Boolean expected) {
        Web browser = signedIn();

        assertThat(automatic(browser, client.begin(client.request(parameter, value))))
                .isEqualTo(expected);
    }

    @Test
    void the_hint_of_the_signed_in_user_is_no_question() {
        Person person = service.newUser().enroll();

        assertThat(automatic(person.bySession(), client.begin(client.request("login_hint", person.userId()))))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "\"consent\":true; false",
                "\"groups\":[\"insiders\"]; false",
                "\"public\":true; true",
                "\"public\":true,\"redirectUris\":[\"http://127.0.0.1/callback\"]; false",
                "\"public\":true,\"redirectUris\":[\"com.example.app:/callback\"]; false"
            })
    void only_applications_of_the_operator_at_a_known_address_are_automatic(String settings, boolean expected) {
        OpenIdClient other = application(',' + settings);
        Map<String, String> request = other.request();
        if (settings.contains("redirectUris")) {
            request.put("redirect_uri", settings.replaceAll(".*\\[\"([^\"]+).*", "$1"));
        }

        assertThat(automatic(signedIn(), other.begin(request))).isEqualTo(expected);
    }

    @Test
    void a_step_that_failed_asks_the_user_instead_of_repeating_itself() {
        String sealed = OpenIdClient.sealed(OpenIdClient.proceed(service.web(), client.begin(client.request())));

        assertThat(automatic(signedIn(), sealed)).isFalse();
    }
}
