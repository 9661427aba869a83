// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Unit tests of the page modules, run in the browser. */
@Timeout(60)
class PageModulesTest {
    private static final Path TYPES =
            Path.of(System.getProperty("porchlight.root")).resolve("client/src/porchlight.d.ts");

    @RegisterExtension
    final Browser browser = new Browser();

    @BeforeEach
    void open() throws IOException {
        browser.serve();
        browser.open("/");
    }

    @Test
    void a_single_passkey_that_is_not_synced_shows_a_warning() {
        assertThat(backupAdvice("[{transports: ['internal'], backedUp: false}]"))
                .startsWith("warn If you lose this device, you can’t sign in any more");
        assertThat(backupAdvice("[{transports: [], backupEligible: true, backedUp: false}]"))
                .startsWith("warn");
        assertThat(backupAdvice("[{transports: []}]")).startsWith("warn");
        assertThat(backupAdvice("[{transports: ['usb', 'nfc'], backedUp: false}]"))
                .startsWith("warn If you lose your security key");
    }

    @Test
    void a_synced_or_second_passkey_shows_no_warning() {
        assertThat(backupAdvice("[{transports: ['internal'], backedUp: true}]"))
                .startsWith("good")
                .contains("Your synced passkey will be there");
        assertThat(backupAdvice("[{transports: [], backedUp: false}, {transports: [], backedUp: true}]"))
                .contains("Your synced passkey will be there");
        assertThat(backupAdvice("[{transports: [], backedUp: false}, {transports: [], backedUp: false}]"))
                .startsWith("good")
                .contains("use another passkey");
    }

    @Test
    void every_error_offers_at_least_two_choices() throws IOException {
        List<String> codes = Pattern.compile("^ {2}\\| '([a-z]+)'", Pattern.MULTILINE)
                .matcher(Files.readString(TYPES))
                .results()
                .map((MatchResult found) -> found.group(1))
                .filter(code -> !code.equals("aborted")) // canceling shows no error
                .toList();
        assertThat(codes).hasSizeGreaterThan(10).contains("dismissed", "limited", "exists");
        for (String code : codes) {
            String choices = List.of("duplicate", "exists", "closed").contains(code)
                    ? "['again', 'signIn', 'rename', 'reload', 'help']"
                    : "['again', 'reload', 'help']";
            assertThat((Long) module(
                            "recovery",
                            "recoveryFor('" + code + "', Object.fromEntries(" + choices
                                    + ".map(name => [name, { label: name }]))).choices.length"))
                    .as(code)
                    .isGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void times_are_shown_relative_to_now() {
        Map<Integer, String> seconds = Map.of(
                0,
                "just now",
                -30,
                "just now",
                -60,
                "1 minute ago",
                -3 * 3_600,
                "3 hours ago",
                -86_400,
                "yesterday",
                -3 * 604_800,
                "3 weeks ago",
                12 * 3_600 - 2,
                "in 12 hours");
        seconds.forEach((offset, words) -> assertThat(module("times", "relative(1e12 + " + offset + " * 1000, 1e12)"))
                .isEqualTo(words));
    }

    @Test
    void browser_names_come_from_the_user_agent() {
        Map<String, String> names = Map.of(
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
                        + " Edg/140.0.0.0",
                "Edge on Windows",
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0"
                        + " Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                "Firefox on Linux",
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
                "curl/8.5.0",
                "curl",
                "",
                "An application");
        names.forEach((userAgent, name) ->
                assertThat(module("browsers", "browserOf('" + userAgent + "')")).isEqualTo(name));
    }

    private String backupAdvice(String passkeys) {
        return (String)
                module("backup-advice", "backupAdvice(" + passkeys + ")", "({ tone, text }) => `${tone} ${text}`");
    }

    private Object module(String name, String expression) {
        return module(name, expression, "value => value");
    }

    private Object module(String name, String expression, String then) {
        return browser.run("return import('/assets/" + name + ".js').then(module => module." + expression + ").then("
                + then + ")");
    }
}
