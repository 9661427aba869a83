// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Extensions that the service requests, and those that a page adds, in a real browser. */
class BrowserExtensionsTest {
    @RegisterExtension
    final Browser browser = new Browser();

    /** The virtual authenticator has no credProtect, but the browser checks that the options fit. */
    @Test
    void a_browser_accepts_all_requested_extensions_and_their_outputs_are_returned() throws IOException {
        browser.serve("EXTENSIONS", "prf,largeBlob=required,credProtect=userVerificationRequired,minPinLength");
        browser.switchToExtensions();
        browser.open(Site.EMPTY_PAGE);
        assertThat(browser.run("""
                const { signUp } = await import('/porchlight.js');
                return JSON.stringify((await signUp({ userId: 'ada' })).extensions);
                """))
                .isEqualTo("{\"signed\":{\"minPinLength\":4},"
                        + "\"unsigned\":{\"prfEnabled\":true,\"largeBlobSupported\":true}}");
    }

    @Test
    void a_page_writes_and_reads_a_large_blob() throws IOException {
        browser.serve("EXTENSIONS", "largeBlob");
        browser.switchToExtensions();
        browser.signUp("ada");
        browser.open(Site.EMPTY_PAGE);
        assertThat(browser.run("""
                const { signIn } = await import('/porchlight.js');
                const use = async largeBlob => {
                  let outputs;
                  await signIn({
                    userId: 'ada',
                    onOptions: options => (options.extensions = { largeBlob }),
                    onVerify: credential => (outputs = credential.getClientExtensionResults().largeBlob),
                  });
                  return outputs;
                };
                const { written } = await use({ write: new TextEncoder().encode('hello') });
                const { blob } = await use({ read: true });
                return `${written} ${new TextDecoder().decode(blob)}`;
                """)).isEqualTo("true hello");
    }
}
