// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** From an empty data directory to a signed-in user. */
class FirstMinuteTest {
    @RegisterExtension
    final Browser browser = new Browser();

    @TempDir
    Path directory;

    @Test
    void sign_up_takes_at_most_three_clicks() throws Exception {
        Instant began = Instant.now();
        try (Instance service =
                Launch.in(directory).patient().jvm("-XX:TieredStopAtLevel=1").start()) {
            browser.openAt(service.address().toString());
            browser.openSignUp();
            browser.type("User name", "ada");
            browser.press("Create account");
            browser.awaitText("Signed in as ada");
            Duration took = Duration.between(began, Instant.now());

            System.out.printf(
                    "From an empty directory to signed in: %d clicks, %.1f s%n",
                    browser.clicks(), took.toMillis() / 1000d);
            assertThat(browser.clicks()).isLessThanOrEqualTo(3);
        }
    }
}
