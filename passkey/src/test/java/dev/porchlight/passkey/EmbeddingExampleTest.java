// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The README's example of embedding the library, with a software browser. */
class EmbeddingExampleTest {
    private final DataSource dataSource = TestDatabase.SQLITE.fresh();
    private final SoftBrowser browser = new SoftBrowser("https://myapp.com", SoftAuthenticator.securityKey());

    @Test
    void the_example_registers_a_passkey_and_signs_in() {
        // begin of the example
        Migration.run(dataSource);
        var config = new PasskeyConfig("My App", "myapp.com", "https://myapp.com");
        var passkeys = new PasskeyService(config, dataSource, new MemoryChallengeStore());

        // A user who is signed in by other means adds a passkey: send the options, then store the response.
        String options = passkeys.startRegistration("alice").toJson();
        var registration = passkeys.finishRegistration("alice", browser.create(options));
        if (registration instanceof RegistrationResult.Refused refused) {
            throw new IllegalStateException(refused.step().code() + ": " + refused.detail());
        }

        // Later the user signs in. The user id comes from the stored credential.
        String request = passkeys.startAuthentication("alice").toJson();
        var authentication = passkeys.finishAuthentication("alice", browser.get(request));
        if (authentication instanceof AuthenticationResult.Verified verified) {
            System.out.println(verified.assertion().userId() + " is signed in");
        }
        // end of the example

        assertThat(registration.registered()).isTrue();
        assertThat(authentication.verified()).isTrue();
    }
}
