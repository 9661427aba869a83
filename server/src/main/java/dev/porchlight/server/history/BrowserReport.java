// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.server.history.CeremonyEvent.Request;
import org.jspecify.annotations.Nullable;

/**
 * A browser's report about its side of a ceremony. Untrusted: it is shown, and decides nothing.
 *
 * @param ceremony {@code login} or {@code registration}
 * @param elapsedMs the time from requesting options to the end
 * @param error the name of the DOMException, the code of a refused request, or empty
 * @param page what the page used
 * @param user the user of those options, or empty
 * @param browser the User-Agent header
 * @param verified whether the report belongs to options of this service
 */
public record BrowserReport(
        Request request,
        String ceremony,
        BrowserOutcome outcome,
        long elapsedMs,
        String error,
        Page page,
        String user,
        String browser,
        boolean verified)
        implements CeremonyEvent {
    private static final int MAX_BROWSER = 256;

    /**
     * The page of a report. Untrusted.
     *
     * @param expected the service's origin if the page was opened at another address; else empty
     */
    public record Page(String origin, String rpId, String expected) {}

    public BrowserReport {
        browser = EventTexts.cut(browser, MAX_BROWSER);
    }

    /** The same report, marked as verified. */
    public BrowserReport asVerified() {
        return new BrowserReport(request, ceremony, outcome, elapsedMs, error, page, user, browser, true);
    }

    /** The same report, of a page that was opened at another address than the service's origin. */
    public BrowserReport atWrongAddress(String right) {
        Page wrong = new Page(page.origin, page.rpId, right);
        return new BrowserReport(request, ceremony, outcome, elapsedMs, error, wrong, user, browser, verified);
    }

    boolean isAtWrongAddress() {
        return !page.expected.isEmpty();
    }

    @Override
    public boolean succeeded() {
        return outcome == BrowserOutcome.OK;
    }

    @Override
    public @Nullable Cause cause() {
        return isAtWrongAddress() ? Cause.ofUser("wrong_address") : Cause.of(outcome, ceremony);
    }

    /** The service's origin if the page was opened at another address. */
    @Override
    public String expected() {
        return page.expected;
    }

    /** The name of the error; for an invalid configuration, what the page used. */
    @Override
    public String found() {
        if (isAtWrongAddress()) {
            return page.origin;
        }
        return outcome == BrowserOutcome.CONFIG ? "page " + page.origin + " with RP ID " + page.rpId : error;
    }

    @Override
    public BrowserReport withUser(String userId) {
        return new BrowserReport(request, ceremony, outcome, elapsedMs, error, page, userId, browser, verified);
    }

    @Override
    public int weight() {
        return 192
                + EventTexts.bytes(
                        error, page.origin, page.rpId, user, browser, page.expected, request.correlationId());
    }

    @Override
    public void write(JsonWriter json) {
        json.text("side", "browser")
                .text("operation", ceremony)
                .number("at", request.at())
                .number("tookMs", elapsedMs)
                .text("outcome", outcome.code())
                .text("error", error)
                .text("origin", page.origin)
                .text("rpId", page.rpId)
                .text("correlationId", request.correlationId())
                .text("user", user)
                .text("browser", browser)
                .bool("verified", verified);
    }
}
