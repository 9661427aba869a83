// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static dev.porchlight.e2e.browser.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.http.Response;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.openqa.selenium.By;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;

/**
 * A person at a browser, new with each test: no cookies, one authenticator, and a service of their own. After the test the
 * console must be empty.
 */
final class Browser implements BeforeEachCallback, AfterEachCallback {
    private static final boolean PICTURES = Boolean.getBoolean("porchlight.pictures");

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
        sitDownAt(Chromium.shared());
    }

    private void sitDownAt(ChromeDriver chromium) {
        driver = chromium;
        driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
        console = new ConsoleLog(driver);
        console.clear();
        screen = new Screen(driver);
        screen.withoutScrollbars();
        screen.desktop();
        screen.dark(false);
        prompts = new Prompts(driver);
        authenticator = Authenticator.platform(driver);
    }

    /** Somebody else, or the same person, at another browser; the service is the same. */
    Browser another() {
        Browser another = new Browser();
        another.sitDownAt(Chromium.start());
        another.site = site;
        others.add(another);
        return another;
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        if (driver == null) {
            return; // there is no Chromium, and the test was skipped
        }
        try {
            if (context.getExecutionException().isPresent()) {
                screen.picture("failed-" + context.getRequiredTestClass().getSimpleName() + "-"
                        + context.getRequiredTestMethod().getName());
                System.err.println("The page of " + context.getDisplayName() + ":\n" + text());
                sites.forEach(one -> System.err.println(one.logs()));
            } else {
                console.check();
                others.forEach(other -> other.console.check());
            }
        } finally {
            others.forEach(other -> other.driver.quit());
            if (networkChanged) {
                offline(false);
                userAgent("");
                driver.executeCdpCommand("Network.disable", Map.of());
            }
            scripts.forEach(script ->
                    driver.executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", script)));
            driver.get("about:blank");
            driver.executeCdpCommand("WebAuthn.disable", Map.of());
            sites.forEach(Site::closeInBackground);
        }
    }

    /** Starts a service; variables come in pairs of name and value. */
    Site serve(String... variables) throws IOException {
        return serve(Map.of(), variables);
    }

    /** Starts a service with further pages beside its own. */
    Site serve(Map<String, Response> foreign, String... variables) throws IOException {
        site = Site.start(foreign, variables);
        sites.add(site);
        return site;
    }

    Site site() {
        return site;
    }

    /** Opens a page of the service. */
    void open(String path) {
        openAt(site.origin() + path);
    }

    void openAt(String url) {
        driver.get(url);
    }

    String address() {
        return driver.getCurrentUrl();
    }

    /** Creates an account, from whatever page, and ends on the account page. */
    void signUp(String userId) {
        open("/");
        type("User name", userId);
        press("Create an account");
        isAt("/account");
        sees("Signed in as " + userId);
    }

    /** Signs out, and ends on the sign-in page. */
    void signOut() {
        press("Sign out");
        isAt("/");
        prompts.awaitAutofill();
    }

    /** The text of the page as a person reads it. */
    String text() {
        return (String) driver.executeScript("return document.body ? document.body.innerText : ''");
    }

    /** Waits until a text is to be read. */
    void sees(String text) {
        eventually(() -> assertThat(text()).contains(text));
    }

    /** Waits until the page has said a text, though it may have led on since. */
    void wasTold(String text) {
        eventually(() -> assertThat(Messages.said(driver)).contains(text));
    }

    void isAt(String path) {
        eventually(() -> assertThat(address()).isEqualTo(site.origin() + path));
    }

    void eventually(ThrowingRunnable assertion) {
        await().untilAsserted(assertion);
    }

    /** The id of the element that has the focus. */
    String focused() {
        return (String) driver.executeScript("return document.activeElement.id");
    }

    /** Types on the keyboard, wherever the focus is. */
    void keys(CharSequence... keys) {
        new Actions(driver).sendKeys(String.join("", keys)).perform();
    }

    /** Presses the button, or follows the link, of this name, as soon as that is possible. */
    void press(String name) {
        press(By.xpath("//*[self::button or self::a][normalize-space()=" + quoted(name) + "]"));
    }

    void press(By where) {
        await().ignoreExceptionsMatching(Browser::notYet).until(() -> {
            WebElement element = find(where);
            if (!element.isEnabled()) {
                return false;
            }
            element.click();
            return true;
        });
        clicks++;
    }

    /** Types into the field of this label. */
    void type(String label, String text) {
        WebElement field = field(label);
        field.clear();
        field.sendKeys(text);
    }

    WebElement field(String label) {
        return find(By.xpath("//input[@id=//label[contains(normalize-space(), " + quoted(label)
                + ")]/@for or ancestor::label[contains(normalize-space(), " + quoted(label) + ")]]"));
    }

    /** The first one that is shown; waits for it. */
    WebElement find(By where) {
        return await().ignoreExceptionsMatching(Browser::notYet)
                .until(
                        () -> driver.findElements(where).stream()
                                .filter(WebElement::isDisplayed)
                                .findFirst()
                                .orElse(null),
                        element -> element != null);
    }

    /** How often a button was pressed or a link followed. */
    int clicks() {
        return clicks;
    }

    Authenticator authenticator() {
        return authenticator;
    }

    /** From now on a security key is used; the device's own authenticator is left alone. */
    void usesSecurityKeyInstead() {
        authenticator.userIsThere(false);
        authenticator = Authenticator.securityKey(driver);
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

    /** Runs a script in the page; what it returns, or its promise, is the answer. */
    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** Runs a script in every page from now on, before the page's own. */
    void onEveryPage(String script) {
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

    /** What the browser calls itself; empty for what it is. */
    void userAgent(String name) {
        networkChanged = true;
        driver.executeCdpCommand("Network.setUserAgentOverride", Map.of("userAgent", name));
    }

    /** On every page from now on, its clock runs so many times as fast. */
    void hurry(double times) {
        onEveryPage("""
                {
                  const began = Date.now(), now = Date.now, later = setTimeout;
                  Date.now = () => Math.trunc(began + (now() - began) * TIMES);
                  window.setTimeout = (task, time, ...more) => later(task, time / TIMES, ...more);
                }
                """.replace("TIMES", Double.toString(times)));
    }

    /** The page as it is now can be used by everybody, in light and dark, on a desk and on the smallest phone. */
    void everybodyCanUse(String what) throws IOException {
        Axe.check(driver, what);
        pictureIfWanted(what + "-light");
        screen.dark(true);
        Axe.checkContrast(driver, what + ", dark");
        pictureIfWanted(what + "-dark");
        screen.dark(false);
        screen.phone();
        screen.fits(what);
        Axe.check(driver, what + ", on a phone");
        pictureIfWanted(what + "-phone");
        screen.desktop();
    }

    private void pictureIfWanted(String name) throws IOException {
        if (PICTURES) {
            screen.picture(name);
        }
    }

    private static boolean notYet(Throwable thrown) {
        return thrown instanceof StaleElementReferenceException
                || thrown instanceof NoSuchElementException
                || thrown instanceof org.openqa.selenium.ElementNotInteractableException;
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }
}
