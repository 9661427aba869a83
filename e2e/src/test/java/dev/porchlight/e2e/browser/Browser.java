// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static dev.porchlight.e2e.browser.PageWait.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.http.Response;
import dev.porchlight.support.FailureReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.openqa.selenium.By;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;

/**
 * A browser for one test: no cookies, one authenticator and its own service. After the test, the browser console must be
 * empty.
 */
final class Browser implements BeforeEachCallback, AfterEachCallback {
    private static final boolean SCREENSHOTS = Boolean.getBoolean("porchlight.pictures");

    /** An option counts as visible with its list. */
    private static final String VISIBLE =
            "(one.closest('select') ?? one).checkVisibility({ visibilityProperty: true })";

    /** The elements of a locator. */
    private static final String FIND = """
            const [using, value] = arguments;
            const all = [];
            if (using === 'xpath') {
              const found = document.evaluate(value, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
              for (let i = 0; i < found.snapshotLength; i++) all.push(found.snapshotItem(i));
            } else {
              all.push(...document.querySelectorAll((using === 'id' ? '#' : '') + value));
            }
            """;

    private final List<Site> sites = new ArrayList<>();
    private final List<Browser> others = new ArrayList<>();
    private ChromeDriver driver;
    private ConsoleLog console;
    private Screen screen;
    private Prompts prompts;
    private Authenticator authenticator;
    private Site site;
    private final List<String> scripts = new ArrayList<>();
    private int clicks;
    private boolean networkChanged;

    @Override
    public void beforeEach(ExtensionContext context) {
        attach(Chromium.shared(0));
    }

    private void attach(ChromeDriver chromium) {
        driver = chromium;
        driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
        console = new ConsoleLog(driver);
        console.lines(); // of earlier tests
        screen = new Screen(driver);
        screen.withoutScrollbars();
        screen.desktop();
        screen.dark(false);
        prompts = new Prompts(driver);
        authenticator = Authenticator.platform(driver);
    }

    /** Returns another browser with the same service. */
    Browser another() {
        Browser another = new Browser();
        another.attach(Chromium.shared(1 + others.size()));
        another.site = site;
        others.add(another);
        return another;
    }

    /** Returns another browser with the same service and passkeys, and signs in there. */
    Browser anotherSignedIn() {
        Browser another = another();
        authenticator().credentials().forEach(another.authenticator()::add);
        another.open("/");
        another.press("Sign in with a passkey");
        another.awaitPath("/account");
        return another;
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        if (driver == null) {
            return; // no Chromium: the test was skipped
        }
        try {
            if (context.getExecutionException().isPresent()) {
                report(context, context.getExecutionException().get());
            } else {
                console.check();
                others.forEach(other -> other.console.check());
            }
        } finally {
            try {
                others.forEach(Browser::detach);
                detach();
            } finally {
                sites.forEach(Site::closeInBackground);
            }
        }
    }

    /** Adds the page, its console and a screenshot to a failure. The logs of the services are added for every test. */
    private void report(ExtensionContext context, Throwable failure) {
        String name = "failed-" + context.getRequiredTestClass().getSimpleName() + "-"
                + context.getRequiredTestMethod().getName();
        try {
            FailureReport.add(
                    failure, "the page at " + address() + ":\n" + text() + "\nits console: " + console.lines());
            FailureReport.add(failure, "a screenshot of it: " + screen.picture(name));
        } catch (IOException | WebDriverException e) {
            failure.addSuppressed(e);
        }
    }

    /** Leaves the browser as the next test expects it. */
    private void detach() {
        if (networkChanged) {
            offline(false);
            userAgent("");
            driver.executeCdpCommand("Network.disable", Map.of());
        }
        scripts.forEach(script ->
                driver.executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", script)));
        driver.get("about:blank");
        driver.executeCdpCommand("WebAuthn.disable", Map.of());
    }

    /** Starts a service. Variables are pairs of name and value. */
    Site serve(String... variables) throws IOException {
        return serve(Map.of(), variables);
    }

    /** Starts a service with additional pages. */
    Site serve(Map<String, Response> extraPages, String... variables) throws IOException {
        site = Site.start(extraPages, variables);
        sites.add(site);
        return site;
    }

    /** Uses a service that the tests of a class share. The class closes it. */
    void use(Site shared) {
        site = shared;
        driver.executeCdpCommand(
                "Storage.clearDataForOrigin", Map.of("origin", shared.origin(), "storageTypes", "local_storage"));
    }

    Site site() {
        return site;
    }

    /** Opens a page of the service. */
    void open(String path) {
        openAt(site.origin() + path);
    }

    /** Opens an address, and repeats it once if Chromium fails to connect, which happens rarely under load. */
    void openAt(String url) {
        driver.get(url);
        if (run("return location.protocol").equals("chrome-error:")) {
            System.err.println("Chromium did not open " + url + ": " + console.lines());
            driver.get(url);
        }
    }

    String address() {
        return driver.getCurrentUrl();
    }

    /** Creates an account with a session, without the sign-up view, which takes longer. Ends on the account page. */
    void signUp(String userId) {
        open(Site.EMPTY_PAGE);
        run("const { signUp } = await import('/porchlight.js'); await signUp({ userId: arguments[0] })", userId);
        open("/account");
        awaitText("Signed in as " + userId);
    }

    /** Creates an account on the sign-up view, which also keeps a token, and ends on the account page. */
    void signUpOnPage(String userId) {
        open("/");
        openSignUp();
        type("User name", userId);
        press("Create account");
        awaitPath("/account");
        awaitText("Signed in as " + userId);
    }

    /** Opens the sign-up view of the sign-in page. */
    void openSignUp() {
        press("Create an account");
    }

    /** Opens the user name field of the sign-in view. */
    void openOtherWays() {
        press(By.cssSelector("#other-ways > summary"));
    }

    /** Signs out and ends on the sign-in page. */
    void signOut() {
        press("Sign out");
        awaitPath("/");
        awaitText("You’re signed out.");
    }

    /** Continues to an application. The service asks only if the application was used a few minutes ago. */
    void continueIfAsked() {
        By button = By.id("continue-button");
        eventually(() -> assertThat(!address().startsWith(site().origin())
                        || first(button, VISIBLE).isPresent())
                .isTrue());
        if (address().startsWith(site().origin())) {
            press(button);
        }
    }

    /** Returns the visible text of the page. */
    String text() {
        return (String) driver.executeScript("return document.body ? document.body.innerText : ''");
    }

    /** Waits until the page shows a text. */
    void awaitText(String text) {
        eventually(() -> assertThat(text()).contains(text));
    }

    /** Waits until a page of this tab has shown a message, even if another page is open now. */
    void awaitMessage(String text) {
        eventually(() -> assertThat(Messages.shown(driver)).contains(text));
    }

    void awaitPath(String path) {
        eventually(() -> assertThat(address()).isEqualTo(site.origin() + path));
    }

    void eventually(ThrowingRunnable assertion) {
        await().untilAsserted(assertion);
    }

    /** Returns the id of the focused element. */
    String focused() {
        return (String) driver.executeScript("return document.activeElement.id");
    }

    /** Types into the focused element. */
    void keys(CharSequence... keys) {
        new Actions(driver).sendKeys(String.join("", keys)).perform();
    }

    /** Presses the tab key until an element that matches the selector has the focus, and then these keys. */
    void tabTo(String selector, CharSequence... keys) {
        tab("focused.matches(arguments[0])", selector);
        keys(keys);
    }

    /** Presses the tab key until the button or link with this text has the focus, and then Enter. */
    void tabAndPress(String name) {
        tab("focused.matches('button, a') && focused.textContent === arguments[0]", name);
        keys("\n");
    }

    /** Presses the tab key until the condition is true. Every focus on the way must be visible. */
    private void tab(String condition, String argument) {
        for (int tabs = 0; tabs < 60; tabs++) {
            keys("\t");
            Object found = run(
                    "const focused = document.activeElement;"
                            + " const { outlineStyle } = getComputedStyle(focused.closest('.choice label') ?? focused);"
                            + " return focused !== document.body && outlineStyle === 'none' ? focused.outerHTML : "
                            + condition,
                    argument);
            assertThat(found).as("an element without a visible focus").isInstanceOf(Boolean.class);
            if (found.equals(true)) {
                return;
            }
        }
        throw new AssertionError("the tab key does not reach " + argument);
    }

    /** Returns the text of the focused element. */
    String focusedText() {
        return (String) run("return document.activeElement.textContent");
    }

    /** Clicks the button or link with this text as soon as it is enabled. */
    void press(String name) {
        press(By.xpath("//*[self::button or self::a][normalize-space()=" + quoted(name) + "]"));
    }

    void press(By where) {
        await().ignoreExceptionsMatching(Browser::isTransient).until(() -> {
            Optional<WebElement> element = first(where, VISIBLE + " && !one.disabled");
            element.ifPresent(WebElement::click);
            return element.isPresent();
        });
        clicks++;
    }

    /** Types into the field with this label. */
    void type(String label, String text) {
        await().ignoreExceptionsMatching(Browser::isTransient).until(() -> {
            WebElement field = find(field(label));
            field.clear();
            field.sendKeys(text);
            return true;
        });
    }

    /** Locates the field with this label. */
    static By field(String label) {
        return By.xpath("//input[@id=//label[contains(normalize-space(), " + quoted(label)
                + ")]/@for or ancestor::label[contains(normalize-space(), " + quoted(label) + ")]]");
    }

    /** Waits for the first visible element. */
    WebElement find(By where) {
        return await().ignoreExceptionsMatching(Browser::isTransient)
                .until(() -> first(where, VISIBLE), Optional::isPresent)
                .orElseThrow();
    }

    /** Waits for the first visible element and returns its text. */
    String textOf(By where) {
        return (String) read(where, "one.innerText.trim()");
    }

    /** Waits until a sign-in has failed and returns its support code. One that only takes long has a code too. */
    String codeOfFailure() {
        eventually(() -> assertThat(text()).contains("Support code").doesNotContain("Cancel"));
        return textOf(By.id("support-code"));
    }

    /** Waits for the first visible field and returns its value. */
    String valueOf(By where) {
        return (String) read(where, "one.value");
    }

    /** Waits for the first visible element and returns one of its attributes. */
    String attributeOf(By where, String name) {
        return (String) read(where, "one.getAttribute('" + name + "')");
    }

    /** Waits for the first visible element and returns whether it is enabled. */
    boolean enabled(By where) {
        return (boolean) read(where, "!one.disabled");
    }

    /** Returns an expression about {@code one} of all elements, visible or not. */
    List<String> readAll(String selector, String expression) {
        return ((List<?>) run(
                        "return [...document.querySelectorAll(arguments[0])].map(one => " + expression + ")", selector))
                .stream().map(String.class::cast).toList();
    }

    private Object read(By where, String expression) {
        By.Remotable.Parameters selector = ((By.Remotable) where).getRemoteParameters();
        String script = FIND + "const one = all.find(one => " + VISIBLE + "); return one ? " + expression + " : null";
        return await().until(() -> run(script, selector.using(), selector.value()), Objects::nonNull);
    }

    /** Returns the first element that meets a condition on {@code one}. A single script finds it. */
    private Optional<WebElement> first(By where, String condition) {
        By.Remotable.Parameters selector = ((By.Remotable) where).getRemoteParameters();
        return Optional.ofNullable((WebElement)
                run(FIND + "return all.find(one => " + condition + ")", selector.using(), selector.value()));
    }

    /** Returns the names of the passkeys on the account page. */
    List<String> passkeyNames() {
        return readAll(".passkey h2", "one.innerText");
    }

    /** Returns the number of clicks. */
    int clicks() {
        return clicks;
    }

    Authenticator authenticator() {
        return authenticator;
    }

    /** Uses a security key instead of the platform authenticator from now on. */
    void switchToSecurityKey() {
        authenticator.setUserPresent(false);
        authenticator = Authenticator.securityKey(driver);
    }

    /** Uses an authenticator that supports extensions from now on. */
    void switchToExtensions() {
        authenticator.remove();
        authenticator = Authenticator.withExtensions(driver);
    }

    ConsoleLog console() {
        return console;
    }

    Prompts prompts() {
        return prompts;
    }

    Screen screen() {
        return screen;
    }

    ChromeDriver driver() {
        return driver;
    }

    /** Runs a script in the page and returns its result, or the result of its promise. */
    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** Runs a script in every page from now on, before the page's scripts. */
    void runOnEveryPage(String script) {
        scripts.add((String) driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script))
                .get("identifier"));
    }

    void offline(boolean offline) {
        networkChanged = true;
        driver.executeCdpCommand("Network.enable", Map.of());
        driver.executeCdpCommand(
                "Network.emulateNetworkConditions",
                Map.of("offline", offline, "latency", 0, "downloadThroughput", -1, "uploadThroughput", -1));
    }

    /** Sets the user agent. An empty string restores the default. */
    void userAgent(String name) {
        networkChanged = true;
        driver.executeCdpCommand("Network.setUserAgentOverride", Map.of("userAgent", name));
    }

    /** Sets the preferred language. */
    void language(String tag) {
        networkChanged = true;
        driver.executeCdpCommand(
                "Network.setUserAgentOverride",
                Map.of("userAgent", run("return navigator.userAgent"), "acceptLanguage", tag));
    }

    /** Multiplies the speed of the clock on every page from now on. */
    void speedUpClock(double times) {
        runOnEveryPage("""
                {
                  const start = Date.now(), now = Date.now, originalSetTimeout = setTimeout;
                  Date.now = () => Math.trunc(start + (now() - start) * TIMES);
                  window.setTimeout = (task, time, ...more) => originalSetTimeout(task, time / TIMES, ...more);
                }
                """.replace("TIMES", Double.toString(times)));
    }

    /**
     * Checks the accessibility of the current page in light and dark mode, on a desktop and on the smallest phone, and that nothing
     * moves: {@link Screen} prefers reduced motion.
     */
    void assertAccessible(String what) throws IOException {
        assertThat((Long) run("return document.getAnimations().length"))
                .as("animations of " + what)
                .isZero();
        Axe.check(driver, what);
        screenshotIfEnabled(what + "-light");
        screen.dark(true);
        Axe.checkContrast(driver, what + ", dark");
        screenshotIfEnabled(what + "-dark");
        screen.dark(false);
        screen.phone();
        screen.assertNoHorizontalScroll(what);
        Axe.check(driver, what + ", on a phone");
        screenshotIfEnabled(what + "-phone");
        screen.desktop();
    }

    private void screenshotIfEnabled(String name) throws IOException {
        if (SCREENSHOTS) {
            screen.picture(name);
        }
    }

    private static boolean isTransient(Throwable thrown) {
        return thrown instanceof StaleElementReferenceException
                || thrown instanceof NoSuchElementException
                || thrown instanceof org.openqa.selenium.ElementNotInteractableException;
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }
}
