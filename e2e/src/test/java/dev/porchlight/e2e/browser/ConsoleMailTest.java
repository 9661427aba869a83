// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.Requirements;
import dev.porchlight.testkit.attestation.ServerIdentity;
import dev.porchlight.testkit.server.MailServer;
import dev.porchlight.testkit.server.MissingProgramException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** Mails and invitations in the operators' console. */
class ConsoleMailTest {
    /** Accepts no connections. */
    private static final String UNREACHABLE = "smtp://127.0.0.1:1";

    @RegisterExtension
    final Browser browser = new Browser();

    @TempDir
    Path directory;

    private Site serve(String mailServer) throws IOException {
        return browser.serve("SMTP_URL", mailServer, "MAIL_FROM", "porchlight@senders.example");
    }

    static MailServer startMailServer() throws IOException {
        Instant now = Instant.now();
        ServerIdentity identity =
                ServerIdentity.selfSigned("localhost", now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(1)));
        try {
            return MailServer.start(identity.certificatePem() + identity.keyPem());
        } catch (MissingProgramException e) {
            Requirements.check(false, e.getMessage());
            throw new AssertionError(e);
        }
    }

    private void choose(String csv, Charset charset) throws IOException {
        Path file = Files.writeString(directory.resolve("people.csv"), csv, charset);
        browser.find(By.id("mail-file")).sendKeys(file.toString());
        browser.press(By.id("dialog-submit"));
    }

    private List<String> lines() {
        return browser.readAll("#mail [data-line]", "one.innerText.replace(/\\s+/g, ' ')");
    }

    private List<String> states() {
        return browser.readAll("#mail [data-delivery]", "one.dataset.state");
    }

    @Test
    void people_are_invited_from_csv_with_a_report_per_line() throws IOException {
        try (MailServer server = startMailServer()) {
            serve(server.url());
            browser.open("/console");
            browser.tabTo("#views [href='#mail']", Keys.ENTER);
            browser.awaitText(server.url());
            browser.tabTo("#mail .actions button", Keys.ENTER);
            browser.eventually(() -> assertThat(browser.focused()).isEqualTo("mail-file"));
            browser.assertAccessible("console-mail-invite");
            choose("""
                    userId,email
                    bob,bob@recipients.example
                    eve,unknown@recipients.example
                    cy,nothing
                    """, StandardCharsets.UTF_8);
            browser.awaitText("Invited: 2. Skipped: 0. Refused: 1.");
            browser.eventually(() -> assertThat(browser.focused()).isEqualTo("mail-title"));
            browser.eventually(() -> assertThat(lines()).hasSize(3));
            assertThat(lines().get(0)).startsWith("4 cy Refused").contains("email");

            browser.tabTo("#mail .actions button", Keys.ENTER);
            browser.tabTo("#mail-csv", "userId,email\nbob,bob@recipients.example");
            browser.tabTo("#dialog-submit", Keys.ENTER);
            browser.awaitText("Invited: 0. Skipped: 1. Refused: 0.");
            browser.eventually(() -> assertThat(lines()).containsExactly("2 bob Skipped has a valid link"));

            browser.eventually(() -> assertThat(states()).containsExactlyInAnyOrder("delivered", "failed"));
            browser.eventually(
                    () -> assertThat(server.mails()).singleElement().asString().contains("bob@recipients.example"));
            browser.awaitText("no such mailbox");
            browser.tabTo("[data-state=failed] td button", Keys.ENTER);
            browser.awaitText("The message was sent again.");
            assertThat(browser.readAll("[data-state=delivered] button", "one.innerText"))
                    .isEmpty();
        }
    }

    @Test
    void errors_of_the_mail_server_are_shown_and_lists_are_paged() throws IOException {
        serve(UNREACHABLE);
        browser.open("/console#mail");
        browser.press("Send a test mail…");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("mail-to"));
        browser.keys("ada@recipients.example");
        browser.assertAccessible("console-mail-test");
        browser.keys(Keys.ENTER);
        browser.awaitText("A test mail was sent.");
        browser.eventually(() -> assertThat(browser.textOf(By.cssSelector("#mail [data-delivery]")))
                .contains("test", "ada@recipients.example", "Connection refused", "Next attempt"));

        browser.press("Invite people…");
        choose("userId,name\nbob,Müller\n", StandardCharsets.ISO_8859_1);
        browser.awaitText("The file is not encoded in UTF-8.");
        String people = IntStream.range(0, 60)
                .mapToObj(i -> "user" + i + ",user" + i + "@recipients.example\n")
                .collect(joining());
        choose("userId,email\n" + people + "cy,\n", StandardCharsets.UTF_8);
        browser.awaitText("Invited: 60. Skipped: 0. Refused: 1.");
        browser.eventually(() -> assertThat(lines()).hasSize(50));
        // The page looks for results until each mail has one.
        browser.eventually(() -> assertThat(browser.readAll("#mail [data-delivery]", "one.innerText"))
                .hasSize(50)
                .allMatch(row -> row.contains("Connection refused")));
        browser.assertAccessible("console-mail");
        browser.press(
                By.xpath("//section[@aria-labelledby='mail-report-title']//button[normalize-space()='Show more']"));
        browser.eventually(() -> assertThat(lines()).hasSize(61));
        browser.press(
                By.xpath("//section[@aria-labelledby='deliveries-title']//button[normalize-space()='Show more']"));
        browser.eventually(() -> assertThat(states()).hasSize(61));
    }

    @Test
    void an_auditor_sees_mails_and_no_buttons_for_changes() throws IOException {
        Site site = serve(UNREACHABLE);
        browser.signUp("ada");
        site.runCommand("operators", "add", "ada", "--role", "auditor", "--force");
        browser.open("/console#mail");

        browser.awaitText("There are no such messages.");
        assertThat(browser.text()).contains(UNREACHABLE).doesNotContain("Send a test mail…", "Invite people…");
    }

    @Test
    void without_a_mail_server_the_page_says_how_to_set_one() throws IOException {
        browser.serve();
        browser.open("/console#mail");

        browser.awaitText("Set SMTP_URL and MAIL_FROM");
        assertThat(browser.text()).doesNotContain("Send a test mail…", "Invite people…");
    }
}
