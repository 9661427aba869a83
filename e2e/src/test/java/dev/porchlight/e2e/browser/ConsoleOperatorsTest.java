// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** People with a role in the operators' console, named tokens, and the audit log. */
class ConsoleOperatorsTest {
    @RegisterExtension
    final Browser browser = new Browser();

    private Site serveFor(String role) throws IOException {
        Site site = browser.serve();
        browser.signUp("ada");
        site.runCommand("operators", "add", "ada", "--role", role, "--force");
        return site;
    }

    @Test
    void an_owner_signs_in_with_a_passkey_and_returns_to_the_console() throws IOException {
        Site site = serveFor("owner");
        browser.signOut();
        browser.console().expect(site.origin() + "/console/api/stream", "401");
        browser.open("/console");
        browser.awaitText("Sign in as an operator");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("console-sign-in"));
        browser.assertAccessible("console-sign-in");

        browser.keys(Keys.ENTER);
        browser.press("Sign in with a passkey");

        browser.awaitPath("/console");
        browser.awaitText("ada (Owner)");
        browser.awaitText("Live");
    }

    @Test
    void an_owner_gives_roles_and_issues_tokens_by_keyboard() throws IOException {
        Site site = serveFor("owner");
        site.runCommand("enroll", "bob");
        browser.open("/console");
        browser.tabTo("#views [href='#operators']", Keys.ENTER);
        browser.awaitText("There are no tokens.");

        browser.tabTo("#add-operator", Keys.ENTER);
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("operator-user"));
        browser.keys("bob");
        browser.assertAccessible("console-operator-add");
        browser.keys(Keys.ENTER);
        browser.awaitText("bob has the role Support.");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("operators-title"));

        browser.tabTo("#issue-token", Keys.ENTER);
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("token-name"));
        browser.keys("backend", Keys.ENTER);
        browser.awaitText("Copy it now. It isn’t shown again.");
        browser.eventually(
                () -> assertThat(browser.valueOf(By.id("issued-token"))).startsWith("plt_"));
        browser.assertAccessible("console-token-issued");
        browser.keys(Keys.ESCAPE);
        browser.find(By.cssSelector("[data-token=backend]"));
        browser.assertAccessible("console-operators");

        browser.tabTo("[data-token=backend] button", Keys.ENTER);
        browser.tabTo("#dialog-submit", Keys.ENTER);
        browser.awaitText("The token backend is revoked.");
        browser.tabTo("[data-user=bob] button:last-child", Keys.ENTER);
        browser.tabTo("#dialog-submit", Keys.ENTER);
        browser.awaitText("bob has no role anymore.");
        assertThat(site.runCommand("operators", "list")).contains("ada").doesNotContain("bob");
    }

    @Test
    void an_old_sign_in_prompts_for_the_passkey_before_a_token_is_issued() throws IOException {
        Site site = serveFor("owner");
        browser.console().expect(site.origin() + "/admin/tokens", "403");
        site.setClockAhead(Duration.ofMinutes(6));
        browser.open("/console#operators");

        browser.press("Issue a token…");
        browser.type("Name", "backend");
        browser.press(By.id("dialog-submit"));

        browser.awaitText("Copy it now. It isn’t shown again.");
    }

    @Test
    void an_auditor_sees_no_buttons_for_changes() throws IOException {
        serveFor("auditor");
        browser.open("/console#users/ada");
        browser.awaitText("ada (Auditor)");
        browser.awaitText("Audit trail");
        browser.eventually(() ->
                assertThat(browser.text()).doesNotContain("Lock…", "Erase…", "Enrollment link…", "Add to a group…"));

        browser.open("/console#operators");
        browser.awaitText("There are no tokens.");
        browser.eventually(() -> assertThat(browser.text()).doesNotContain("Add an operator…", "Issue a token…"));
    }

    @Test
    void support_sees_no_applications_and_no_operators() throws IOException {
        serveFor("support");
        browser.open("/console#users/ada");
        browser.awaitText("Enrollment link…");
        browser.eventually(
                () -> assertThat(browser.text()).contains("Sign out…").doesNotContain("Lock…", "Erase…"));
        browser.eventually(() -> assertThat(browser.textOf(By.id("views")))
                .contains("Users")
                .doesNotContain("Applications", "Operators", "Webhooks", "Mail"));
    }

    @Test
    void the_audit_log_is_filtered_and_exported_by_keyboard() throws IOException {
        Site site = serveFor("owner");
        site.runCommand("enroll", "bob");
        browser.open("/console");
        browser.tabTo("#views [href='#audit']", Keys.ENTER);
        browser.awaitText("Export as CSV");
        browser.eventually(() -> assertThat(actions()).contains("registration", "operator_added", "enrollment_issued"));
        browser.assertAccessible("console-audit");

        browser.tabTo("#audit-user", "bob", Keys.ENTER);
        browser.eventually(() -> assertThat(actions()).containsExactly("enrollment_issued"));
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("audit-title"));
        browser.tabTo("[data-format=csv]", Keys.ENTER);
        browser.awaitText("The export is saved.");
    }

    private List<String> actions() {
        return browser.readAll("#audit [data-action]", "one.dataset.action");
    }
}
