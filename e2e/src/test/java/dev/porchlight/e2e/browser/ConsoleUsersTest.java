// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** User administration in the operators' console. */
class ConsoleUsersTest {
    /** Contains characters that are special in URLs and in HTML. */
    private static final String NAME = "a/b?c#d%e\\f;g <img src=x>";

    @RegisterExtension
    final Browser browser = new Browser();

    @Test
    void a_user_is_found_locked_unlocked_and_signed_out_by_keyboard() throws IOException {
        browser.serve();
        browser.signUp(NAME);
        open(NAME);
        browser.eventually(() -> assertThat(browser.text())
                .contains("Passkeys (1)", "Sessions (1)", "Audit trail", "New passkey", "Active"));
        browser.assertAccessible("console-user");

        browser.tabAndPress("Lock…");
        browser.awaitText("They are signed out everywhere");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("dialog-cancel"));
        browser.assertAccessible("console-user-lock");
        browser.keys(Keys.ESCAPE);
        browser.eventually(() -> assertThat(browser.focusedText()).isEqualTo("Lock…"));
        browser.keys(Keys.ENTER);
        browser.tabTo("#dialog-submit", Keys.ENTER);
        browser.awaitText("Locked and signed out everywhere.");
        browser.eventually(() -> assertThat(browser.text()).contains("Sessions (0)"));
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("user-title"));
        browser.tabAndPress("Unlock");
        browser.awaitText("Unlocked. They can sign in again.");
        browser.tabAndPress("Sign out…");
        browser.tabTo("#dialog-submit", Keys.ENTER);
        browser.awaitText("Signed out everywhere.");

        awaitAudit("user_signed_out local", "user_unlocked local", "user_locked local");
        browser.tabTo("[data-action=registration] .link", Keys.ENTER);
        browser.awaitText("1 ceremony found.");
        browser.tabTo("#close-results", Keys.ENTER);
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("find"));
        browser.tabAndPress("← All users");
        browser.eventually(() -> assertThat(browser.focusedText()).isEqualTo(NAME));
    }

    @Test
    void groups_of_a_user_are_changed_and_an_empty_one_is_removed_by_keyboard() throws IOException {
        browser.serve();
        browser.signUp("ada");
        open("ada");
        browser.eventually(() -> assertThat(browser.text()).contains("Groups (0)", "No groups."));

        browser.tabTo("#join-group", Keys.ENTER);
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("group-name"));
        browser.keys("staff");
        browser.assertAccessible("console-user-group");
        browser.keys(Keys.ENTER);
        browser.awaitText("ada was added to staff.");
        browser.eventually(() -> assertThat(browser.text()).contains("Groups (1)"));
        browser.tabTo("[data-group=staff] button", Keys.ENTER);
        browser.awaitText("Remove ada from staff?");
        browser.tabTo("#dialog-submit", Keys.ENTER);
        browser.awaitText("ada was removed from staff.");

        browser.open("/console#groups/staff");
        browser.awaitText("This group has no members.");
        browser.tabAndPress("Remove group");
        browser.awaitText("Groups decide who may sign in");
        assertThat(browser.site().runCommand("groups", "list")).isEqualTo("There are no groups.");
    }

    @Test
    void the_profile_of_a_user_is_changed_by_keyboard_and_found() throws IOException {
        browser.serve();
        browser.signUp("ada");
        open("ada");
        browser.eventually(() -> assertThat(browser.text()).contains("Nothing is known yet.", "Applications (0)"));

        browser.tabAndPress("Change profile…");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("profile-name"));
        browser.keys("Ada Lovelace");
        browser.tabTo("#profile-email");
        browser.keys("ada@example.com");
        browser.tabTo("#profile-verified", Keys.SPACE);
        browser.tabTo("#profile-claims");
        browser.keys("level=3", Keys.ENTER, "team=core");
        browser.assertAccessible("console-user-profile");
        browser.tabTo("#dialog-submit", Keys.ENTER);
        browser.awaitText("The profile was changed.");
        browser.eventually(() -> assertThat(browser.textOf(By.id("user-profile")))
                .contains("Ada Lovelace", "ada@example.com Verified", "level\n3", "team\ncore"));
        browser.assertAccessible("console-user-with-profile");
        awaitAudit("profile_changed name, email, emailVerified, claims, local");

        browser.tabAndPress("Change profile…");
        browser.find(By.id("profile-claims")).clear();
        browser.tabTo("#dialog-submit", Keys.ENTER);
        browser.awaitText("The profile was changed.");
        browser.eventually(
                () -> assertThat(browser.textOf(By.id("user-profile"))).doesNotContain("team"));
        assertThat(browser.site().runCommand("users", "list", "ada@")).contains("Ada Lovelace");
        browser.open("/console#users");
        browser.awaitText("ada@example.com");
        browser.assertAccessible("console-users-with-profiles");
    }

    @Test
    void a_user_gets_a_link_loses_a_passkey_and_is_erased_by_keyboard() throws IOException {
        browser.serve();
        browser.signUp("ada");
        open("ada");

        browser.tabAndPress("Enrollment link…");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("invite-lifetime"));
        browser.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN);
        browser.eventually(
                () -> assertThat(browser.valueOf(By.id("invite-lifetime"))).isEqualTo("86400"));
        browser.assertAccessible("console-user-link");
        browser.tabTo("#dialog-submit", Keys.ENTER);
        browser.awaitText("Anyone with the link can register as this user.");
        browser.awaitText("Works once, until ");
        browser.eventually(() -> assertThat(browser.valueOf(Browser.field("Link")))
                .startsWith(browser.site().origin() + "/#enroll="));
        browser.assertAccessible("console-user-link-created");
        browser.keys(Keys.ESCAPE);
        browser.awaitText("An enrollment link is waiting to be used.");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("user-title"));

        browser.tabAndPress("Remove…");
        browser.awaitText("This is the last passkey of ada.");
        browser.tabTo("#dialog-submit", Keys.ENTER);
        browser.awaitText("Passkeys (0)");

        browser.tabAndPress("Erase…");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("confirm-erase"));
        browser.keys("ad");
        browser.eventually(
                () -> assertThat(browser.enabled(By.id("dialog-submit"))).isFalse());
        browser.keys("a");
        browser.assertAccessible("console-user-erase");
        browser.keys(Keys.ENTER);
        browser.awaitText("ada was erased.");
        browser.tabAndPress("← All users");
        browser.awaitText("No users yet.");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("users-title"));
    }

    @Test
    void users_are_listed_in_pages_and_new_ones_invited() throws IOException {
        browser.serve();
        browser.site().updateDatabase(sql -> {
            for (int i = 100; i < 160; i++) {
                sql.update("INSERT INTO porchlight_name (name, user_id) VALUES (?, ?)", "user " + i, "user " + i);
            }
        });
        browser.open("/console");
        browser.tabTo("#views [href='#users']", Keys.ENTER);
        browser.awaitText("user 149");
        browser.eventually(() -> assertThat(browser.text()).doesNotContain("user 150"));
        browser.press("Show more");
        browser.awaitText("user 159");
        browser.eventually(() -> assertThat(browser.focusedText()).isEqualTo("user 150"));

        browser.press("New enrollment link…");
        browser.type("User name", "grace");
        browser.press("Create link");
        browser.awaitText("Enrollment link for grace");
        browser.press("Close");
        browser.awaitText("grace");
        browser.assertAccessible("console-users");

        browser.console().expect(browser.site().origin() + "/admin/users/unknown", "404");
        browser.open("/console#users/unknown");
        browser.awaitText("The user does not exist.");
    }

    /** Searches for a user in the console and opens the user, by keyboard. */
    private void open(String name) {
        browser.open("/console");
        browser.awaitText("Live");
        browser.tabTo("#find", name, Keys.ENTER);
        browser.awaitText("1 user found.");
        browser.tabTo("#found-users a", Keys.ENTER);
        browser.awaitText("Audit trail");
    }

    /** Waits until the newest audit rows have these actions and reasons. The console renders them after the message. */
    private void awaitAudit(String... newest) {
        browser.eventually(() -> assertThat(browser.readAll(
                        "#user [data-action]",
                        "one.dataset.action + ' ' + one.querySelector('td:nth-of-type(3)').innerText"))
                .startsWith(newest));
    }
}
