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

/** What the pages' modules compute, asked in the browser they run in. */
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
    void whoever_has_one_passkey_that_is_not_synced_is_warned() {
        assertThat(safety("[{transports: ['internal'], backedUp: false}]"))
                .startsWith("warn If you lose this device, you cannot sign in any more");
        assertThat(safety("[{transports: [], backupEligible: true, backedUp: false}]"))
                .startsWith("warn");
        assertThat(safety("[{transports: []}]")).startsWith("warn");
        assertThat(safety("[{transports: ['usb', 'nfc'], backedUp: false}]"))
                .startsWith("warn If you lose your security key");
    }

    @Test
    void a_synced_passkey_or_a_second_one_is_a_way_back() {
        assertThat(safety("[{transports: ['internal'], backedUp: true}]"))
                .startsWith("good")
                .contains("your synced passkey is there");
        assertThat(safety("[{transports: [], backedUp: false}, {transports: [], backedUp: true}]"))
                .contains("your synced passkey is there");
        assertThat(safety("[{transports: [], backedUp: false}, {transports: [], backedUp: false}]"))
                .startsWith("good")
                .contains("use another passkey");
    }

    @Test
    void every_failure_leaves_two_ways_forward() throws IOException {
        List<String> codes = Pattern.compile("^ {2}\\| '([a-z]+)'", Pattern.MULTILINE)
                .matcher(Files.readString(TYPES))
                .results()
                .map((MatchResult found) -> found.group(1))
                .filter(code -> !code.equals("aborted")) // whoever cancels is back where they were
                .toList();
        assertThat(codes).hasSizeGreaterThan(10).contains("dismissed", "limited", "exists");
        for (String code : codes) {
            String offers = List.of("duplicate", "exists", "closed").contains(code)
                    ? "['again', 'signIn', 'rename', 'reload', 'help']"
                    : "['again', 'reload', 'help']";
            assertThat((Long) module(
                            "ways",
                            "waysAfter('" + code + "', Object.fromEntries(" + offers
                                    + ".map(name => [name, { label: name }]))).ways.length"))
                    .as(code)
                    .isGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void times_are_told_in_words() {
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
    void browsers_are_told_by_what_they_say_of_themselves() {
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

    private String safety(String passkeys) {
        return (String) module("safety", "safety(" + passkeys + ")", "({ tone, text }) => `${tone} ${text}`");
    }

    private Object module(String name, String expression) {
        return module(name, expression, "value => value");
    }

    private Object module(String name, String expression, String then) {
        return browser.run("return import('/assets/" + name + ".js').then(module => module." + expression + ").then("
                + then + ")");
    }
}
