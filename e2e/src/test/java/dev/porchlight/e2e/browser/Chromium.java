// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import dev.porchlight.e2e.Requirements;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.server.Program;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.remote.http.ClientConfig;

/** The Chromium instances that all tests of this process share, each started on first use. */
final class Chromium {
    /** Debian's command is a script that stays the parent: the driver would end the script, and the browser would go on. */
    private static final Path DEBIAN = Path.of("/usr/lib/chromium/chromium-headless-shell");

    private static final Map<Integer, ChromeDriver> SHARED = new HashMap<>();

    private Chromium() {}

    /** Returns an instance with its own profile. Most tests use only number 0. */
    static synchronized ChromeDriver shared(int number) {
        return SHARED.computeIfAbsent(number, unused -> {
            ChromeDriver driver = start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(driver), "quit-chromium"));
            return driver;
        });
    }

    /** Quits a browser. At the end of this process its driver may have ended already, without the browser. */
    private static void end(ChromeDriver driver) {
        Number id = (Number) driver.getCapabilities().getCapability("goog:processID");
        Optional<ProcessHandle> browser = ProcessHandle.of(id.longValue());
        try {
            driver.quit();
        } finally {
            browser.ifPresent(ProcessHandle::destroy);
        }
    }

    /** The headless shell, which uses less CPU time, or else Chromium. */
    private static String binary() {
        if (Files.isExecutable(DEBIAN)) {
            return DEBIAN.toString();
        }
        return Program.find("chromium-headless-shell").orElseGet(() -> {
            System.err.println("chromium-headless-shell is not installed; the tests use chromium, which is slower");
            return Requirements.program("chromium");
        });
    }

    private static ChromeDriver start() {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(binary());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-extensions",
                // no spare renderer per page
                "--disable-features=SpareRendererForSitePerProcess,Translate,OptimizationHints,MediaRouter",
                // one renderer for all sites
                "--renderer-process-limit=1",
                "--disable-site-isolation-trials",
                "--host-resolver-rules=MAP *.test 127.0.0.1,MAP localhost 127.0.0.1",
                "--window-size=1200,900");
        options.setExperimentalOption("prefs", Map.of("intl.accept_languages", "en"));
        LoggingPreferences everything = new LoggingPreferences();
        everything.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", everything);
        // Explicit paths prevent Selenium from searching or downloading.
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(new File(Requirements.program("chromedriver")))
                .build();
        options.setScriptTimeout(Patience.LIMIT);
        options.setPageLoadTimeout(Patience.LIMIT);
        ChromeDriver driver = new ChromeDriver(
                service, options, ClientConfig.defaultConfig().readTimeout(Patience.LIMIT.multipliedBy(2)));
        ConsoleLog.reportPolicyViolations(driver);
        Prompts.install(driver);
        Messages.record(driver);
        return driver;
    }
}
