// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that demand the passkey, by {@code prompt=login} or {@code max_age}. */
class OpenIdFreshSignInTest extends OpenIdFixture {
    @ParameterizedTest
    @CsvSource({"prompt, login", "max_age, 0"})
    void a_fresh_sign_in_needs_the_passkey(String name, String value) {
        Person person = service.newUser().enroll();
        Web old = person.bySession();
        Map<String, String> request = client.request();
        request.put(name, value);

        TestResponse first = OpenIdClient.proceed(old, client.begin(request)).expect(303);
        assertThat(first.header("Location")).startsWith("/?request=");
        String asked = OpenIdClient.sealed(first);
        assertThat(OpenIdClient.proceed(old, asked).header("Location")).startsWith("/?request=");

        assertThat(OpenIdClient.proceed(OpenIdClient.signInFor(person, asked), asked)
                        .header("Location"))
                .startsWith(CALLBACK + "?code=");
    }

    @ParameterizedTest
    @CsvSource({"prompt, login", "max_age, 0"})
    void a_younger_session_does_not_complete_a_request_that_was_prepared_before(String name, String value) {
        Person person = service.newUser().enroll();
        String prepared = client.begin(client.request(name, value));
        String shown = OpenIdClient.sealed(OpenIdClient.proceed(service.web(), prepared));
        service.clock().advance(Duration.ofSeconds(2));
        Web stolen = person.bySession();
        Web forAnother = OpenIdClient.signInFor(person, client.begin(client.request(name, value)));

        for (Web browser : List.of(stolen, forAnother)) {
            for (String sealed : List.of(prepared, shown)) {
                assertThat(OpenIdClient.proceed(browser, sealed).header("Location"))
                        .startsWith("/?request=");
                assertThat(browser.get("/oauth2/request?request=" + sealed)
                                .json()
                                .names())
                        .doesNotContain("userId");
            }
        }
    }

    @Test
    void a_sign_up_for_a_request_completes_it() {
        Person person = service.newUser();
        String sealed = client.begin(client.request("prompt", "login"));
        String requestId =
                service.web().get("/oauth2/request?request=" + sealed).json().string("requestId");
        Web enrolling = service.web().bearer(person.enrollmentToken());
        String created = person.browser()
                .create(enrolling.get(Person.REGISTER_OPTIONS).expect(200).body());
        TestResponse registered = enrolling
                .post(Person.REGISTER_FINISH + "?requestId=" + requestId, created)
                .expect(201);

        assertThat(OpenIdClient.proceed(service.web().cookie(Person.cookie(registered)), sealed)
                        .header("Location"))
                .startsWith(CALLBACK + "?code=");
    }

    @Test
    void a_request_id_that_is_too_long_is_ignored() {
        service.newUser().enroll().loginFor("x".repeat(37)).expect(200);
    }

    @Test
    void an_old_session_is_not_fresh_for_a_browser_that_hid_it_at_first() {
        Web old = signedIn();
        service.clock().advance(Duration.ofSeconds(2));
        Map<String, String> request = client.request();
        request.put("prompt", "login");
        String asked = OpenIdClient.sealed(OpenIdClient.proceed(service.web(), client.begin(request)));

        assertThat(OpenIdClient.proceed(old, asked).header("Location")).startsWith("/?request=");
    }

    @Test
    void max_age_accepts_a_recent_sign_in_only() {
        Person person = service.newUser().enroll();
        Web browser = person.bySession();
        Map<String, String> request = client.request();
        request.put("max_age", "60");
        assertThat(client.signIn(browser, request)).containsKey("code");

        service.clock().advance(Duration.ofSeconds(30));
        assertThat(client.signIn(browser, request)).containsKey("code");

        service.clock().advance(Duration.ofSeconds(31));

        String sealed = client.begin(request);
        assertThat(OpenIdClient.proceed(browser, sealed).header("Location")).startsWith("/?request=");
        Web again = OpenIdClient.signInFor(person, sealed);
        service.clock()
                .advance(Duration.ofSeconds(61)); // a sign-in for this request counts, however slow the browser is
        assertThat(OpenIdClient.proceed(again, sealed).header("Location")).startsWith(CALLBACK + "?code=");
    }

    @Test
    void max_age_accepts_a_sign_in_elsewhere_that_is_younger_than_the_request() {
        Person person = service.newUser().enroll();
        String prepared = client.begin(client.request("max_age", "60"));
        String shown = OpenIdClient.sealed(OpenIdClient.proceed(service.web(), prepared));
        service.clock().advance(Duration.ofSeconds(2)); // in another tab, or at an instance whose clock is ahead
        Web otherTab = person.bySession();

        for (String sealed : List.of(prepared, shown)) {
            assertThat(otherTab.get("/oauth2/request?request=" + sealed).json().string("userId"))
                    .isEqualTo(person.userId());
            assertThat(OpenIdClient.proceed(otherTab, sealed).header("Location"))
                    .startsWith(CALLBACK + "?code=");
        }
        service.clock().advance(Duration.ofSeconds(61));
        assertThat(OpenIdClient.proceed(otherTab, shown).header("Location")).startsWith("/?request=");
    }

    @Test
    void prompt_login_and_consent_asks_for_the_passkey_and_then_for_consent() {
        Person person = service.newUser().enroll();
        Map<String, String> request = client.request();
        request.put("prompt", "login consent");

        TestResponse first = OpenIdClient.proceed(person.bySession(), client.begin(request));
        assertThat(first.header("Location")).startsWith("/?request=");
        String asked = OpenIdClient.sealed(first);
        Web fresh = OpenIdClient.signInFor(person, asked);

        assertThat(OpenIdClient.proceed(fresh, asked).expect(200).body()).contains("Allow");
        assertThat(consent(fresh, asked, "agree")).contains("?code=");
    }
}
