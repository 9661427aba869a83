// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;

/** Sign-in to an application on openid-client, a certified relying party for Node.js. */
class OpenIdClientTest {
    private static Site site;
    private static NodeApplication application;
    private static String secret;
    private static String tillSecret;

    @RegisterExtension
    final Browser browser = new Browser();

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        site = Site.start(Map.of());
        application = NodeApplication.start(site);
        secret = addClient("shop", "--logout-uri", application.origin() + "/");
        tillSecret = addClient("till");
        addClient("staff", "--group", "staff");
        addClient("phone", "--public");
        addClient("partner", "--public", "--third-party");
        Path jwks = Files.writeString(directory.resolve("jwks.json"), application.jwks());
        addClient("ledger", "--jwks", jwks.toString());
    }

    @AfterAll
    static void stop() {
        if (application != null) {
            application.close();
        }
        site.close();
    }

    @BeforeEach
    void useSite() {
        browser.use(site);
    }

    @Test
    void a_user_signs_up_at_the_application_refreshes_and_signs_out() {
        open("/login?client_id=shop&secret=" + secret);
        browser.awaitText("You’ll continue to shop");
        browser.openSignUp();
        browser.type("User name", "ada");
        browser.press("Create account");
        Map<String, Object> claims = result("/callback");
        assertThat(claims).containsEntry("preferred_username", "ada");
        assertThat(claims).containsEntry("acr", "phr");

        assertThat(call("/refresh")).containsEntry("preferred_username", "ada");
        assertThat(call("/userinfo")).containsEntry("preferred_username", "ada");

        open("/logout");
        browser.eventually(() -> assertThat(browser.address()).isEqualTo(application.origin() + "/"));
        assertThat(call("/refresh")).containsEntry("error", "invalid_grant");
        open("/login?client_id=shop&secret=" + secret);
        browser.press("Sign in with a passkey");
        assertThat(result("/callback")).containsEntry("preferred_username", "ada");
    }

    @Test
    void a_signed_in_user_continues_or_uses_another_account() {
        browser.signUp("bob");
        browser.signOut();
        browser.signUp("eve");

        open("/login?client_id=shop&secret=" + secret);
        assertThat(result("/callback")).containsEntry("preferred_username", "eve"); // without a click

        open("/login?client_id=shop&secret=" + secret);
        browser.awaitText("You’re signed in as eve.");
        browser.press("Use another account");
        browser.openOtherWays();
        browser.type("User name", "bob");
        browser.press(By.id("sign-in-by-name-button"));
        assertThat(result("/callback")).containsEntry("preferred_username", "bob");

        open("/login?client_id=till&secret=" + tillSecret);
        browser.awaitText("You’re signed in as bob."); // a browser with several accounts
        browser.press("Continue");
        assertThat(result("/callback")).containsEntry("preferred_username", "bob");
    }

    @Test
    void prompt_none_shows_nothing_and_prompt_login_asks_for_the_passkey() {
        Map<String, Object> refused = signIn("shop", secret, "&prompt=none");
        assertThat(refused).containsEntry("error", "login_required");

        browser.signUp("cleo");
        Map<String, Object> silent = signIn("shop", secret, "&prompt=none");
        assertThat(silent).containsEntry("preferred_username", "cleo");

        open("/login?prompt=login&client_id=shop&secret=" + secret);
        browser.press("Sign in with a passkey");
        Map<String, Object> again = result("/callback");
        assertThat((Long) again.get("auth_time")).isGreaterThanOrEqualTo((Long) silent.get("auth_time"));
    }

    @Test
    void a_user_outside_the_group_gets_an_explanation_with_a_support_code() throws IOException {
        browser.signUp("dora");
        browser.console().expect(site.origin() + "/oauth2/continue", "403");
        open("/login?client_id=staff&authentication=none");
        browser.press("Continue");
        browser.awaitText("Give support this code");
        browser.assertAccessible("openid-error");
        String code = browser.textOf(By.tagName("code"));
        assertThat(code).matches("[0-9A-Z]{2}-[0-9A-Z]{3}");
        assertThat(site.logs()).contains("\"reason\":\"not_in_group\"", "\"expected\":\"a member of staff\"");

        browser.press("Back to the application");
        assertThat(result("/callback")).containsEntry("error", "access_denied");
    }

    @Test
    void an_application_of_a_third_party_asks_once() throws IOException {
        browser.signUp("hana");
        open("/login?client_id=partner&authentication=none");
        browser.press("Continue");
        browser.awaitText("Sign in to partner?");
        browser.assertAccessible("consent");
        browser.press("Don’t allow");
        assertThat(result("/callback")).containsEntry("error", "access_denied");

        open("/login?client_id=partner&authentication=none");
        browser.tabTo("#continue-button", "\n");
        browser.awaitText("Sign in to partner?");
        browser.tabTo("button.primary", "\n");
        assertThat(result("/callback")).containsEntry("preferred_username", "hana");
        assertThat(signIn("partner", "", "&authentication=none&prompt=none"))
                .containsEntry("preferred_username", "hana");
    }

    @Test
    void misused_codes_and_refresh_tokens_are_refused() {
        browser.signUp("finn");
        assertThat(signIn("shop", "a wrong secret", "&prompt=none")).containsEntry("status", 401L);

        assertThat(signIn("shop", secret, "&prompt=none")).containsEntry("preferred_username", "finn");
        assertThat(call("/redeem")).containsEntry("code", "replayed_code");
        assertThat(call("/refresh")).containsEntry("error", "invalid_grant");

        open("/login?keep=1&prompt=none&client_id=shop&secret=" + secret);
        result("/callback");
        site.setClockAhead(Duration.ofSeconds(61));
        assertThat(call("/redeem")).containsEntry("code", "invalid_code");
        site.setClockAhead(Duration.ZERO);

        assertThat(signIn("shop", secret, "&prompt=none")).containsEntry("preferred_username", "finn");
        assertThat(call("/refresh")).containsEntry("preferred_username", "finn");
        assertThat(call("/refresh-with-first")).containsEntry("code", "reused_refresh_token");
        assertThat(call("/refresh")).containsEntry("error", "invalid_grant");
    }

    @Test
    void clients_with_keys_and_public_clients_sign_users_in_within_the_clock_skew() {
        browser.signUp("gail");
        String key = "&authentication=key&prompt=none&clock_skew=";
        assertThat(signIn("ledger", "", key + "20")).containsEntry("preferred_username", "gail");
        assertThat(signIn("ledger", "", key + "-20&pushed=1")).containsEntry("preferred_username", "gail");
        assertThat(signIn("ledger", "", key + "120")).containsEntry("code", "invalid_client");
        assertThat(signIn("ledger", "", key + "-120")).containsEntry("code", "invalid_client");
        assertThat(signIn("shop", secret, "&prompt=none&clock_skew=3600"))
                .containsEntry("code", "OAUTH_JWT_TIMESTAMP_CHECK_FAILED");

        assertThat(signIn("phone", "", "&authentication=none&prompt=none&dpop=1"))
                .containsEntry("preferred_username", "gail");
        assertThat(call("/userinfo")).containsEntry("preferred_username", "gail");
        assertThat(call("/refresh")).containsEntry("preferred_username", "gail");
        assertThat(call("/revoke")).isNotNull();
        assertThat(call("/refresh")).containsEntry("error", "invalid_grant");
    }

    /** Registers a client and returns its secret, or an empty text. */
    private static String addClient(String id, String... options) {
        List<String> command =
                new ArrayList<>(List.of("clients", "add", id, "--redirect-uri", application.origin() + "/callback"));
        command.addAll(List.of(options));
        return OpenIdPage.secret(site.runCommand(command.toArray(String[]::new)));
    }

    private void open(String path) {
        browser.openAt(application.origin() + path);
    }

    /** Signs the user in without showing anything. */
    private Map<String, Object> signIn(String client, String secret, String more) {
        open("/login?client_id=" + client + "&secret=" + secret.replace(" ", "%20") + more);
        return result("/callback");
    }

    private Map<String, Object> call(String path) {
        open(path);
        return result(path);
    }

    /** Waits for a page of the application and returns its content. */
    private Map<String, Object> result(String path) {
        browser.eventually(() -> {
            assertThat(browser.address()).startsWith(application.origin() + path);
            assertThat(browser.text()).isNotEmpty();
        });
        JsonObject json = JsonObject.parse(browser.text());
        Map<String, Object> members = new HashMap<>();
        json.names().forEach(name -> members.put(name, json.get(name)));
        return members;
    }
}
