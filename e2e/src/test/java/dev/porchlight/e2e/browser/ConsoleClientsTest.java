// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** Clients and groups in the operators' console. */
class ConsoleClientsTest {
    private static final String NAME = "Shop <img src=x onerror=alert(1)>";
    private static final String VERIFIER = "a-code-verifier-that-has-at-least-43-characters-in-it";
    private static Site site;

    @RegisterExtension
    final Browser browser = new Browser();

    @BeforeAll
    static void start() throws IOException {
        site = Site.start(Map.of("/callback", Response.of(200, "text/plain", "The application".getBytes(UTF_8))));
    }

    @AfterAll
    static void stop() {
        site.closeInBackground();
    }

    @BeforeEach
    void use() {
        browser.use(site);
        site.updateDatabase(sql -> {
            sql.update("DELETE FROM porchlight_client");
            sql.update("DELETE FROM porchlight_group_member");
        });
    }

    @Test
    void a_client_is_added_by_keyboard_and_signs_a_user_in() throws Exception {
        browser.open("/console#clients");
        browser.awaitText("use this service as their sign-in");
        browser.eventually(
                () -> assertThat(browser.text()).contains("./porchlight clients add grafana --redirect-uri https://"));
        browser.assertAccessible("console-clients-none");

        focus("add-client");
        browser.keys(Keys.ENTER);
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("client-id"));
        browser.keys("shop", Keys.TAB, NAME, Keys.TAB, "http://shop.example/");
        browser.console().expect(site.origin() + "/admin/clients", "400");
        focus("client-id");
        browser.keys(Keys.ENTER);
        browser.awaitText("Redirect URI http://shop.example/ must be https");
        focus("client-redirect-uris");
        browser.run("document.activeElement.select()");
        browser.keys(callback());
        browser.assertAccessible("console-client-add");
        focus("client-id");
        browser.keys(Keys.ENTER);
        browser.awaitText(NAME + " was added");
        String secret = browser.valueOf(Browser.field("Client secret"));
        browser.eventually(
                () -> assertThat(browser.valueOf(Browser.field("Issuer"))).isEqualTo(site.origin()));
        browser.assertAccessible("console-client-added");
        browser.keys(Keys.ESCAPE);
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("client-title"));
        browser.eventually(() -> assertThat(browser.text())
                .contains(NAME, "No sign-ins yet.", "No refused requests.", "12 hours", "All users"));
        assertThat((String) browser.run("return document.documentElement.outerHTML"))
                .doesNotContain(secret, "<img src=x");

        browser.signUp("ada");
        browser.openAt(authorize(callback()));
        browser.eventually(() -> assertThat(browser.address()).startsWith(callback() + "?code="));
        assertThat(redeem(secret)).contains("\"id_token\":");
        browser.console().expect(site.origin() + "/oauth2/authorize", "400");
        browser.openAt(authorize(callback() + "/typo"));
        String code = browser.textOf(By.cssSelector(".support code"));

        browser.open("/console#clients/shop");
        browser.eventually(() -> assertThat(browser.text()).contains("ada", "just now", code, callback() + "/typo"));
        browser.assertAccessible("console-client");
        browser.press(By.cssSelector("#client-refusals [data-code='" + code + "'] button"));
        browser.awaitText("1 ceremony found.");

        browser.language("de");
        browser.driver().navigate().refresh();
        browser.awaitText("redirect_uri ist für diese Anwendung nicht registriert.");
        browser.assertAccessible("console-client-german");
    }

    @Test
    void a_secret_is_replaced_and_the_client_removed() throws IOException {
        site.runCommand("clients", "add", "old", "--redirect-uri", callback(), "--third-party", "--group", "staff");
        browser.open("/console");
        browser.press("Applications");
        browser.press("old");
        browser.awaitText("Users agree before their first sign-in");
        browser.eventually(() -> assertThat(browser.text()).contains("staff", "Third-party"));

        browser.press("Change settings…");
        browser.type("Name", "Old wiki");
        browser.type("Allowed groups", "");
        browser.press(By.cssSelector("#dialog summary"));
        browser.run("document.getElementById('client-profile').value = 'basic'");
        browser.press("Save");
        browser.awaitText("The settings were changed.");
        browser.eventually(() ->
                assertThat(browser.text()).contains("Old wiki", "All users", callback(), "Weaker: PKCE optional"));

        browser.press("Replace secret…");
        browser.awaitText("The current secret becomes invalid now.");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("dialog-cancel"));
        browser.press("Replace secret");
        browser.awaitText("The new secret of Old wiki");
        browser.eventually(() ->
                assertThat(browser.valueOf(Browser.field("Client secret"))).hasSize(43));
        browser.press("Close");
        browser.awaitText("The secret was replaced.");

        browser.press("Remove…");
        browser.press("Remove application");
        browser.awaitText("Old wiki was removed.");
        browser.eventually(() -> assertThat(browser.driver().findElements(By.cssSelector("[data-client=old]")))
                .isEmpty());
        browser.console().expect(site.origin() + "/admin/clients/old", "404");
        browser.console().expect(site.origin() + "/admin/clients/old/activity", "404");
        browser.open("/console#clients/old");
        browser.awaitText("This does not exist. It may have been removed.");
    }

    @Test
    void a_client_with_keys_is_added_without_a_secret() throws Exception {
        browser.open("/console#clients");
        browser.press(By.id("add-client"));
        browser.type("Client ID", "signer");
        focus("client-redirect-uris");
        browser.keys(callback());
        browser.press(By.cssSelector("#dialog summary"));
        focus("client-jwks");
        browser.keys("{}");
        browser.console().expect(site.origin() + "/admin/clients", "400");
        browser.press("Add application");
        browser.awaitText("The JWKS must have public keys only");
        focus("client-jwks");
        browser.run("document.activeElement.select()");
        browser.keys(publicKeys());
        browser.assertAccessible("console-client-keys");
        browser.press("Add application");
        browser.awaitText("signer was added");
        browser.eventually(() ->
                assertThat(browser.driver().findElements(By.id("added-secret"))).isEmpty());
        browser.press("Close");
        browser.awaitText("Signed with its own key (private_key_jwt)");
        browser.eventually(() -> assertThat(browser.text()).doesNotContain("Replace secret"));

        browser.press("Change settings…");
        browser.type("Name", "Signer");
        browser.press("Save");
        browser.awaitText("The settings were changed.");
        assertThat(site.runCommand("clients", "show", "signer")).contains("Signer", "private_key_jwt");
    }

    @Test
    void members_of_groups_are_added_and_removed_by_keyboard() throws IOException {
        site.updateDatabase(sql -> {
            for (String user : List.of("bob", "grace <b>")) {
                sql.update("INSERT INTO porchlight_name (name, user_id) VALUES (?, ?)", user, user);
            }
        });
        browser.open("/console");
        browser.tabTo("#views [href='#groups']", Keys.ENTER);
        browser.awaitText("Groups decide who may sign in");
        browser.tabTo("#add-member", Keys.ENTER);
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("group-name"));
        browser.keys("staff", Keys.TAB, "..", Keys.ENTER);
        browser.awaitText("This name cannot be part of a URL.");
        browser.console().expect(site.origin() + "/admin/groups/staff/bo", "404");
        browser.keys(Keys.BACK_SPACE, Keys.BACK_SPACE, "bo", Keys.ENTER);
        browser.awaitText("bo doesn’t exist and has no enrollment link.");
        browser.keys("b", Keys.ENTER);
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("group-title"));
        browser.eventually(
                () -> assertThat(browser.text()).contains("1 member", "No application is limited to this group."));

        site.runCommand("clients", "add", "wiki", "--redirect-uri", callback(), "--group", "staff");
        browser.tabAndPress("Add a member…");
        browser.keys("grace <b>");
        browser.assertAccessible("console-group-add");
        browser.keys(Keys.ENTER);
        browser.awaitText("grace <b> was added to staff.");
        browser.eventually(() -> assertThat(browser.text()).contains("2 members", "limited to the group: wiki"));
        browser.assertAccessible("console-group");

        browser.tabTo("[data-user=bob] button", Keys.ENTER);
        browser.awaitText("Remove bob from staff?");
        browser.tabTo("#dialog-submit", Keys.ENTER);
        browser.awaitText("bob was removed from staff.");
        browser.tabAndPress("← All groups");
        browser.eventually(() -> assertThat(browser.focusedText()).isEqualTo("staff"));
        assertThat(site.runCommand("groups", "list", "staff")).contains("members  grace <b>");
        browser.assertAccessible("console-groups");
    }

    private void focus(String id) {
        browser.find(By.id(id));
        browser.run("document.getElementById(arguments[0]).focus()", id);
    }

    /** A key set like that of an application. */
    private static String publicKeys() throws IOException {
        try (InputStream keys =
                URI.create(site.origin() + "/.well-known/jwks.json").toURL().openStream()) {
            return new String(keys.readAllBytes(), UTF_8);
        }
    }

    private static String callback() {
        return site.origin() + "/callback";
    }

    private static String authorize(String redirectUri) throws GeneralSecurityException {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(VERIFIER.getBytes(US_ASCII));
        return site.origin() + "/oauth2/authorize?response_type=code&client_id=shop&scope=openid&state=s&nonce=n"
                + "&code_challenge_method=S256&code_challenge="
                + Base64.getUrlEncoder().withoutPadding().encodeToString(digest) + "&redirect_uri="
                + URLEncoder.encode(redirectUri, UTF_8);
    }

    /** Redeems the code in the browser's address, as the application does. */
    private String redeem(String secret) throws IOException, InterruptedException {
        String code = browser.address().replaceAll(".*[?&]code=([^&]+).*", "$1");
        HttpRequest request = HttpRequest.newBuilder(URI.create(site.origin() + "/oauth2/token"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("grant_type=authorization_code&client_id=shop&client_secret=" + secret
                        + "&code=" + code + "&code_verifier=" + VERIFIER + "&redirect_uri="
                        + URLEncoder.encode(callback(), UTF_8)))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
