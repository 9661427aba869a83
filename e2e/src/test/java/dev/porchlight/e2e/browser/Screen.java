// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.openqa.selenium.Rectangle;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;

/** The screen size and color scheme, and screenshots. */
final class Screen {
    private static final int MARGIN = 12;
    private static final Path PICTURES = Path.of("target", "screenshots");

    private final ChromeDriver driver;

    Screen(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Hides scrollbars, which would reduce the visible area of screenshots. */
    void withoutScrollbars() {
        driver.executeCdpCommand("Emulation.setScrollbarsHidden", Map.of("hidden", true));
    }

    void dark(boolean dark) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"),
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    }

    void desktop() {
        size(1200, 900, 1, false);
    }

    /** The narrowest supported screen. */
    void phone() {
        size(320, 640, 2, true);
    }

    void size(int width, int height, int scale, boolean mobile) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", scale, "mobile", mobile));
    }

    /** Fails if the page is wider than the screen. */
    void assertNoHorizontalScroll(String what) {
        assertThat((Long) driver.executeScript(
                        "return document.documentElement.scrollWidth - document.documentElement.clientWidth"))
                .as("horizontal overflow of " + what)
                .isZero();
    }

    /** Takes a screenshot of the whole page, including the part below the fold. */
    Path picture(String name) throws IOException {
        boolean larger = (Boolean) driver.executeScript("return document.documentElement.scrollHeight > innerHeight"
                + " || document.documentElement.scrollWidth > innerWidth");
        // slow, because the page is laid out again
        return take(name, Map.of("format", "png", "optimizeForSpeed", true, "captureBeyondViewport", larger));
    }

    /** Takes a screenshot of the upper part of the page, for the documentation. */
    void picture(String name, int width, int height) throws IOException {
        takeSmall(name, Map.of("x", 0, "y", 0, "width", width, "height", height, "scale", 1));
    }

    /** Takes a screenshot of an element with a margin, for the documentation. */
    void picture(String name, WebElement element) throws IOException {
        Rectangle place = element.getRect();
        Map<String, Object> clip = Map.of(
                "x",
                place.getX() - MARGIN,
                "y",
                place.getY() - MARGIN,
                "width",
                place.getWidth() + 2 * MARGIN,
                "height",
                place.getHeight() + 2 * MARGIN,
                "scale",
                1);
        takeSmall(name, clip);
    }

    private void takeSmall(String name, Map<String, Object> clip) throws IOException {
        take(name, Map.of("format", "webp", "quality", 75, "captureBeyondViewport", true, "clip", clip));
    }

    private Path take(String name, Map<String, Object> options) throws IOException {
        Map<String, Object> taken = driver.executeCdpCommand("Page.captureScreenshot", options);
        Files.createDirectories(PICTURES);
        return Files.write(
                PICTURES.resolve(name + "." + options.get("format")).toAbsolutePath(),
                Base64.getDecoder().decode((String) taken.get("data")));
    }
}
