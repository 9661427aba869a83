// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.history.BrowserOutcome;
import dev.porchlight.server.history.BrowserReport;
import dev.porchlight.server.history.BrowserReport.Page;
import dev.porchlight.server.history.CeremonyEvent.Request;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.telemetry.BrowserReports;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Receives browsers' reports about ceremonies and the account page: {@code POST /auth/passkey/report}. Any client may send one, so every member has a
 * fixed set of values or is short and printable. A report counts if it names a challenge that this service issued.
 */
public final class ReportRoutes {
    private static final long LONGEST_MS = 86_400_000;
    private static final Pattern CEREMONY = Pattern.compile("login|registration|account");
    private static final Pattern ERROR = Pattern.compile("[A-Za-z_]{0,64}");
    private static final Pattern PRINTABLE = Pattern.compile("[!-~]{0,300}");

    private final BrowserReports reports;
    private final BiPredicate<@Nullable String, String> issued;
    private final InstantSource clock;

    /**
     * Routes for reports.
     *
     * @param issued whether this service issued a challenge for a user, or for no user (null)
     */
    public ReportRoutes(BrowserReports reports, BiPredicate<@Nullable String, String> issued, InstantSource clock) {
        this.reports = reports;
        this.issued = issued;
        this.clock = clock;
    }

    public void mount(Router.Builder router) {
        router.post("/auth/passkey/report", Access.BROWSER_REPORT, this::report);
    }

    private Response report(Exchange exchange) throws Exception {
        JsonObject body = exchange.jsonObject();
        BrowserOutcome outcome = BrowserOutcome.of(body.text("outcome"));
        if (outcome == null) {
            throw body.malformed("outcome", "not a known outcome");
        }
        body.text("ceremony");
        String challenge = body.optionalText("challenge");
        String userId = body.optionalText("userId");
        boolean ofUser = challenge != null && userId != null && issued.test(userId, challenge);
        boolean known = ofUser || challenge != null && issued.test(null, challenge);
        reports.record(
                exchange,
                new BrowserReport(
                        new Request(clock.millis(), exchange.correlationId(), false),
                        text(body, "ceremony", CEREMONY),
                        outcome,
                        elapsed(body),
                        text(body, "error", ERROR),
                        new Page(text(body, "origin", PRINTABLE), text(body, "rpId", PRINTABLE), ""),
                        ofUser ? String.valueOf(userId) : "",
                        Objects.requireNonNullElse(exchange.header("User-Agent"), ""),
                        false),
                known ? challenge : null);
        return Response.of(204);
    }

    private static String text(JsonObject body, String name, Pattern allowed) throws MalformedException {
        String text = body.optionalText(name);
        if (text != null && !allowed.matcher(text).matches()) {
            throw body.malformed(name, "not an allowed value");
        }
        return text == null ? "" : text;
    }

    private static long elapsed(JsonObject body) throws MalformedException {
        Long millis = body.optionalInteger("elapsedMs");
        if (millis != null && (millis < 0 || millis > LONGEST_MS)) {
            throw body.malformed("elapsedMs", "out of range");
        }
        return millis == null ? 0 : millis;
    }
}
