// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/** The application in examples/encrypted-note: a note that only the passkey can decrypt. */
class EncryptedNoteTest {
    private static final String TEXT = "the cake is in the cellar";

    @RegisterExtension
    final Browser browser = new Browser();

    private ExampleSite application;

    @BeforeEach
    void serve() throws IOException {
        application = ExampleSite.serve("examples/encrypted-note", browser, "EXTENSIONS", "prf");
    }

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void a_note_is_encrypted_and_decrypted_with_the_passkey() throws IOException {
        browser.switchToExtensions();
        signUp();
        browser.assertAccessible("encrypted-note");
        browser.press("Open my note");
        browser.awaitText("A new note.");
        browser.find(By.id("note")).sendKeys(TEXT);
        browser.press("Encrypt and save");
        browser.awaitText("Encrypted and saved.");
        String stored = (String) browser.run("return localStorage.getItem('note ada')");
        assertThat(stored).contains("\"iv\"").doesNotContain("cake");

        browser.openAt(application.origin());
        browser.type("User name", "ada");
        browser.press("Open my note");
        browser.awaitText("Decrypted.");
        assertThat(browser.run("return document.getElementById('note').value")).isEqualTo(TEXT);
    }

    @Test
    void the_key_cannot_be_exported_and_the_service_does_not_receive_its_secret() {
        browser.switchToExtensions();
        signUp();
        String sent = (String) browser.run("""
                const bodies = [];
                const service = arguments[0];
                const { configure } = await import(service + '/porchlight.js');
                configure({ fetch: (url, init) => (bodies.push(init.body), fetch(url, init)) });
                const { deriveKey } = await import(service + '/porchlight/prf.js');
                let results;
                const key = await deriveKey('any', {
                  userId: 'ada',
                  onVerify: credential => (results = credential.getClientExtensionResults().prf.results),
                });
                if (!(results.first.byteLength === 32)) return 'no results';
                if (key.extractable) return 'extractable';
                return bodies.filter(body => body?.includes('clientExtensionResults')).join();
                """, browser.site().origin());
        assertThat(sent).contains("\"clientExtensionResults\":{\"prf\":{}}");
    }

    @Test
    void a_passkey_without_prf_is_reported() {
        signUp();
        browser.press("Open my note");
        browser.awaitText("This passkey can't derive keys. Use another one.");
    }

    private void signUp() {
        browser.openAt(application.origin());
        browser.type("User name", "ada");
        browser.press("Create an account");
        browser.awaitText("Your passkey is ready.");
    }
}
