// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A passkey for a signed-in user without a prompt ("conditional create"), in a real browser. */
class ConditionalCreateTest {
    @RegisterExtension
    final Browser browser = new Browser();

    @BeforeEach
    void signUp() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.switchToExtensions(); // an authenticator without the user's passkey
        browser.open(Site.EMPTY_PAGE);
    }

    /**
     * Chromium asks Google's password manager only, never a virtual authenticator: headless, the request stays open. A page
     * must not show a prompt or an error then.
     */
    @Test
    void a_browser_that_creates_no_passkey_changes_nothing() {
        Object outcome = browser.run("""
                const { addPasskey, cancel, configure, support } = await import('/porchlight.js');
                const paths = [];
                configure({ fetch: (url, init) => (paths.push(new URL(url).pathname), fetch(url, init)) });
                let phases = 0;
                const added = addPasskey({ mediation: 'conditional', onPrompt: () => phases++ }).then(
                  () => 'created',
                  error => error.code,
                );
                while (!prompts.choose) await new Promise(done => setTimeout(done, 10));
                prompts.choose();
                await Promise.race([added, new Promise(done => setTimeout(done, 500))]);
                cancel();
                const { conditionalCreate } = await support();
                return `conditionalCreate ${conditionalCreate}: ${await added} after ${phases} prompts, ${paths}`;
                """);
        System.err.println("Conditional create in this browser, with a virtual authenticator: " + outcome);
        assertThat(outcome)
                .isIn(
                        "conditionalCreate true: aborted after 0 prompts, /auth/passkey/register/options",
                        "conditionalCreate true: blocked after 0 prompts, /auth/passkey/register/options");
        assertThat(browser.authenticator().credentials()).isEmpty();
        browser.open("/account");
        browser.eventually(() -> assertThat(browser.passkeyNames()).hasSize(1));
    }

    /** A password manager returns such a response; the virtual authenticator is made to, with a normal prompt. */
    @Test
    void a_passkey_without_user_presence_is_added_if_the_page_requested_it() {
        browser.authenticator().setUnprompted(true);
        assertThat(browser.run("""
                const { addPasskey } = await import('/porchlight.js');
                const { create } = CredentialsContainer.prototype;
                let requested;
                CredentialsContainer.prototype.create = function ({ mediation, ...options }) {
                  requested = mediation;
                  return create.call(this, options);
                };
                let flags;
                await addPasskey({
                  mediation: 'conditional',
                  onVerify: ({ response }) => (flags = new Uint8Array(response.getAuthenticatorData())[32]),
                });
                return `${requested} ${flags & 5}`;
                """)).isEqualTo("conditional 0");
        browser.authenticator().setUnprompted(false);

        browser.open("/account");
        browser.eventually(() -> assertThat(browser.passkeyNames()).hasSize(2));
        browser.signOut();
        browser.press("Sign in with a passkey");
        browser.awaitText("Signed in as ada");
    }

    @Test
    void a_passkey_without_user_presence_is_refused_otherwise() {
        browser.console().expect(browser.site().origin() + "/auth/passkey/register/finish", "400");
        browser.authenticator().setUnprompted(true);
        assertThat(browser.run("""
                const { addPasskey } = await import('/porchlight.js');
                return addPasskey().catch(error => error.problem);
                """)).isEqualTo("user_not_present");
        browser.eventually(
                () -> assertThat(browser.authenticator().credentials()).isEmpty());
    }
}
