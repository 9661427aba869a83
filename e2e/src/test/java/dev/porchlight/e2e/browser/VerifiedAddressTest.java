// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.server.MailServer;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** A user verifies their address with a mailed link. */
class VerifiedAddressTest {
    private static final Pattern LINK = Pattern.compile("http://localhost:\\d+(/account#verify=[\\w-]{43})");

    @RegisterExtension
    final Browser browser = new Browser();

    private final Set<String> opened = new HashSet<>();

    private String newLink(MailServer server) throws IOException {
        Set<String> links = new HashSet<>();
        browser.eventually(() -> {
            for (String mail : server.mails()) {
                String text = mail.replaceAll("=\\r?\\n", "").replace("=3D", "="); // quoted-printable
                LINK.matcher(text)
                        .results()
                        .map((MatchResult link) -> link.group(1))
                        .forEach(links::add);
            }
            links.removeAll(opened);
            assertThat(links).hasSize(1);
        });
        opened.addAll(links);
        return links.iterator().next();
    }

    @Test
    void an_address_is_verified_by_the_link_after_a_sign_in() throws IOException {
        try (MailServer server = ConsoleMailTest.startMailServer()) {
            Site site = browser.serve(
                    "SMTP_URL",
                    server.url(),
                    "MAIL_FROM",
                    "porchlight@senders.example",
                    "SIGNUP_FIELDS",
                    "email",
                    "PROFILE_EDITABLE",
                    "email");
            browser.open("/");
            browser.openSignUp();
            browser.type("User name", "ada");
            browser.keys(Keys.TAB, "ada@recipients.example", Keys.ENTER);
            browser.awaitPath("/account");
            browser.awaitText("Not verified");
            browser.assertAccessible("account-not-verified");
            String first = newLink(server);
            browser.press("Verify by mail");
            browser.awaitText("Open the link in the mail to ada@recipients.example to verify the address.");
            String second = newLink(server);
            browser.signOut();

            browser.console().expect(site.origin() + "/auth/session", "401");
            browser.open(second);
            browser.awaitPath("/");
            browser.press("Sign in with a passkey");

            browser.awaitPath("/account");
            browser.awaitText("The address ada@recipients.example is verified.");
            browser.assertAccessible("account-verified");
            assertThat(browser.textOf(By.id("profile-facts")))
                    .contains("Verified")
                    .doesNotContain("Not verified");
            assertThat(browser.address()).doesNotContain("#");

            browser.press("Change profile…");
            browser.type("Email address", "ada@else.example");
            browser.keys(Keys.ENTER);
            browser.awaitText("Open the link in the mail to ada@else.example to verify the address.");
            browser.console().expect(site.origin() + "/auth/profile/email/verify", "409");
            browser.open(first);
            browser.awaitText("This link no longer works.");
            browser.assertAccessible("account-link-ended");
        }
    }
}
