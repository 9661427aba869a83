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
 * @param origin the origin of the page, as reported
 * @param user the user of those options, or empty
 * @param browser the User-Agent header
 * @param expected the service's origin if the page was opened at another address; else empty
 * @param verified whether the report belongs to options of this service
 */
public record BrowserReport(
        Request request,
        String ceremony,
        BrowserOutcome outcome,
        long elapsedMs,
        String error,
        String origin,
        String rpId,
        String user,
        String browser,
        String expected,
        boolean verified)
        implements CeremonyEvent {
    private static final int MAX_BROWSER = 256;

    public BrowserReport {
        browser = EventTexts.cut(browser, MAX_BROWSER);
    }

    /** The same report, marked as verified. */
    public BrowserReport asVerified() {
        return new BrowserReport(
                request, ceremony, outcome, elapsedMs, error, origin, rpId, user, browser, expected, true);
    }

    /** The same report, of a page that was opened at another address than the service's origin. */
    public BrowserReport atWrongAddress(String right) {
        return new BrowserReport(
                request, ceremony, outcome, elapsedMs, error, origin, rpId, user, browser, right, verified);
    }

    boolean isAtWrongAddress() {
        return !expected.isEmpty();
    }

    @Override
    public boolean succeeded() {
        return outcome == BrowserOutcome.OK;
    }

    @Override
    public @Nullable Cause cause() {
        if (isAtWrongAddress()) {
            return Cause.ofUser("wrong_address");
        }
        return outcome == BrowserOutcome.DISMISSED && ceremony.equals("registration")
                ? Cause.ofRegistration(outcome)
                : Cause.of(outcome);
    }

    /** The name of the error; for an invalid configuration, what the page used. */
    @Override
    public String found() {
        if (isAtWrongAddress()) {
            return origin;
        }
        return outcome == BrowserOutcome.CONFIG ? "page " + origin + " with RP ID " + rpId : error;
    }

    @Override
    public BrowserReport withUser(String userId) {
        return new BrowserReport(
                request, ceremony, outcome, elapsedMs, error, origin, rpId, userId, browser, expected, verified);
    }

    @Override
    public int weight() {
        return 192 + EventTexts.bytes(error, origin, rpId, user, browser, expected, request.correlationId());
    }

    @Override
    public void write(JsonWriter json) {
        json.text("side", "browser")
                .text("operation", ceremony)
                .number("at", request.at())
                .number("tookMs", elapsedMs)
                .text("outcome", outcome.code())
                .text("error", error)
                .text("origin", origin)
                .text("rpId", rpId)
                .text("correlationId", request.correlationId())
                .text("user", user)
                .text("browser", browser)
                .bool("verified", verified);
    }
}
