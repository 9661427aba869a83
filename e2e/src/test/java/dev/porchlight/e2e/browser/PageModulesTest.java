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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Unit tests of the page modules, run in the browser. */
class PageModulesTest {
    private static final Path TYPES =
            Path.of(System.getProperty("porchlight.root")).resolve("client/src/porchlight.d.ts");

    @RegisterExtension
    final Browser browser = new Browser();

    private static Site site;

    @BeforeAll
    static void serve() throws IOException {
        site = Site.start(Map.of());
    }

    @AfterAll
    static void close() {
        site.closeInBackground();
    }

    @BeforeEach
    void open() throws IOException {
        browser.use(site);
        browser.console().expect(site.origin() + "/nowhere", "404");
        browser.open("/nowhere"); // a page without scripts
        browser.run("const [{ default: english }, { Texts }] = await Promise.all(['texts-en', 'texts']"
                + ".map(name => import(`/porchlight/${name}.js`))); window.texts = new Texts('en', english)");
    }

    @Test
    void a_single_passkey_that_is_not_synced_shows_a_warning() {
        assertThat(backupAdvice("[{transports: ['internal'], backedUp: false}]"))
                .startsWith("warn If you lose this device, you can’t sign in anymore");
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
    void the_console_counts_what_happened_in_the_chosen_time_range() {
        assertThat(browser.run("""
                const { ConsoleModel } = await import('/assets/console-model.js');
                const model = new ConsoleModel({ window: '5', state: 'refused' });
                const sample = (t, count) => ({ t, requests: { '2xx': count, other: 1, '5xx': 2 },
                  routes: [{ route: 'GET /', count }], health: { clock: 'up' },
                  operations: [{ operation: 'login_options', outcome: 'ok', count: 4 }, { operation: 'login', outcome: 'ok', count },
                    { operation: 'login', outcome: 'refused', reason: 'origin', count: 1 }],
                  browser: [{ ceremony: 'login', outcome: 'dismissed', count: 1 }, { ceremony: 'login', outcome: 'blocked', count: 1 }] });
                for (const [t, count] of [[1_000_000, 9], [1_200_000, 2], [1_400_000, 3], [1_400_000, 9]]) model.add(sample(t, count));
                model.ceremonies = [{ state: 'refused' }, { state: 'pending' }];
                const ended = Object.assign(new ConsoleModel({ state: 'ended' }), { ceremonies: model.ceremonies });
                const { period } = model;
                return JSON.stringify([period.times, period.requests.at(-1), [...period.routes], [...period.refusals], period.signIns,
                  period.split(3).map(part => part.signIns.succeeded), { ...period.funnel('login'), errors: [...period.funnel('login').errors] },
                  period.healthChecks, model.chosen, ended.chosen]);
                """)).isEqualTo("""
                [[1200000,1400000],{"ok":4,"client":0,"server":2},[["GET /",5]],[["origin",2]],\
                {"succeeded":5,"refused":2,"failed":0},[2,0,3],\
                {"options":8,"prompted":8,"finished":7,"succeeded":5,"errors":[["dismissed",2],["blocked",2]]},\
                ["clock"],[{"state":"refused"}],[{"state":"refused"}]]""");
    }

    @Test
    void the_console_counts_sign_ups_as_sign_ins_and_no_unused_autofill() {
        assertThat(browser.run("""
                const { ConsoleModel } = await import('/assets/console-model.js');
                const model = new ConsoleModel({ window: '5', state: 'ended' });
                model.add({ t: 1_000_000, requests: {}, routes: [], health: {}, browser: [],
                  operations: [{ operation: 'login_options', outcome: 'ok', reason: 'autofill', count: 90 }, { operation: 'login_options', outcome: 'ok', count: 3 },
                    { operation: 'login', outcome: 'ok', count: 2 }, { operation: 'registration', outcome: 'ok', reason: 'signed_in', count: 5 }] });
                const { period } = model;
                return JSON.stringify([period.signIns, period.funnel('login').options, period.funnel('login').succeeded, [...period.refusals]]);
                """)).isEqualTo("""
                [{"succeeded":7,"refused":0,"failed":0},8,7,[]]""");
    }

    @Test
    void every_error_offers_two_or_three_choices() throws IOException {
        List<String> codes = Pattern.compile("^ {2}\\| '([a-z]+)'", Pattern.MULTILINE)
                .matcher(Files.readString(TYPES))
                .results()
                .map((MatchResult found) -> found.group(1))
                .filter(code -> !code.equals("aborted")) // canceling shows no error
                .toList();
        assertThat(codes).hasSizeGreaterThan(10).contains("dismissed", "limited", "exists");
        for (String code : codes) {
            for (String available : new String[] {
                "['again', 'phone', 'signUp', 'rename', 'reload', 'help']",
                "['again', 'signIn', 'rename', 'reload', 'help']"
            }) {
                assertThat((Long) module(
                                "recovery",
                                "recoveryFor('" + code + "', Object.fromEntries(" + available
                                        + ".map(name => [name, { label: name }]))).choices.length"))
                        .as(code)
                        .isBetween(
                                code.matches("duplicate|exists|closed") && available.contains("phone") ? 1L : 2L, 3L);
            }
        }
    }

    @Test
    void passkeys_have_distinct_default_names() {
        String agent = "userAgent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0.0.0 Safari/537.36'";
        assertThat(module(
                        "passkey-names",
                        "withTitles(texts, [{transports: ['internal'], " + agent + "}, {transports: ['usb'], " + agent
                                + "}, {transports: ['nfc']}, {transports: [], " + agent
                                + "}, {transports: [], name: 'Chrome on Windows (2)'}, {transports: []}])",
                        "all => all.map(({ title }) => title)"))
                .isEqualTo(List.of(
                        "Chrome on Windows",
                        "Security key",
                        "Security key (2)",
                        "Chrome on Windows (3)",
                        "Chrome on Windows (2)",
                        "Passkey"));
    }

    @Test
    void known_providers_name_their_passkeys() {
        assertThat(module(
                        "passkey-names",
                        "loadProviders().then(() => module.withTitles(texts, [{transports: ['usb'],"
                                + " aaguid: 'cb69481e-8ff7-4039-93ec-0a2729a154a8'}]))",
                        "([{ title }]) => title"))
                .isEqualTo("YubiKey 5");
    }

    @Test
    void addresses_redirect_only_within_this_machine() {
        assertThat(redirect("http://127.0.0.1:8080", "http://localhost:8080")).isEqualTo("http://localhost:8080/p?q#h");
        assertThat(redirect("http://[::1]:8080", "http://localhost:8080")).isEqualTo("http://localhost:8080/p?q#h");
        assertThat(redirect("http://localhost:8080", "http://localhost:8080")).isEqualTo("ok");
        assertThat(redirect("http://localhost:8080", "http://localhost:3000")).isEqualTo("none");
        assertThat(redirect("http://127.0.0.1:8080", "https://example.com")).isEqualTo("none");
        assertThat(redirect("https://www.example.com", "https://example.com")).isEqualTo("none");
    }

    private Object redirect(String current, String configured) {
        return module(
                "address",
                "checkAddress({ origin: '" + current + "', pathname: '/p', search: '?q', hash: '#h' }, '" + configured
                        + "', ['" + configured + "'])",
                "({ ok, redirect }) => ok ? 'ok' : redirect ?? 'none'");
    }

    @Test
    void return_to_needs_the_permission_of_the_service_and_a_web_address() {
        assertThat(returnTo("?return_to=/a%3Fb", true)).isEqualTo("/a?b");
        assertThat(returnTo("?return_to=https://app.example.com/", true)).isEqualTo("https://app.example.com/");
        assertThat(returnTo("?return_to=/a", false)).isNull();
        for (String refused : List.of(
                "",
                "?return_to=",
                "?return_to=//evil",
                "?return_to=/%5Cevil",
                "?return_to=/%09/evil",
                "?return_to=%20/a",
                "?return_to=javascript:x",
                "?return_to=/a&return_to=/b")) {
            assertThat(returnTo(refused, true)).as(refused).isNull();
        }
    }

    private Object returnTo(String search, boolean allowed) {
        return module("return-to", "returnTo('" + search + "', " + allowed + ")", "value => value ?? null");
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
        seconds.forEach(
                (offset, words) -> assertThat(module("times", "relative(texts, 1e12 + " + offset + " * 1000, 1e12)"))
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
        names.forEach((userAgent, name) -> assertThat(module("passkey-names", "browserOf(texts, '" + userAgent + "')"))
                .isEqualTo(name));
    }

    private String backupAdvice(String passkeys) {
        return (String) module(
                "passkey-names", "backupAdvice(" + passkeys + ")", "({ tone, key }) => `${tone} ${texts.text(key)}`");
    }

    private Object module(String name, String expression) {
        return module(name, expression, "value => value");
    }

    private Object module(String name, String expression, String then) {
        String directory = List.of("address", "return-to").contains(name) ? "assets" : "porchlight";
        return browser.run("return import('/" + directory + "/" + name + ".js').then(module => module." + expression
                + ").then(" + then + ")");
    }
}
