// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.metrics.Counter;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.server.history.BrowserOutcome;
import dev.porchlight.server.history.BrowserReport;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.http.Exchange;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records browsers' reports about ceremonies: in a counter, in the history, and in the log if a browser finds the
 * configuration invalid. Only the first report on options that this service issued counts. Others are shown as unverified.
 * Thread-safe.
 */
public final class BrowserReports {
    /** The number of challenges remembered as reported. */
    private static final int REMEMBERED = 10_000;

    private final Counter outcomes;
    private final Counter unverified;
    private final Set<String> reported = Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    });
    private final CeremonyHistory history;
    private final PasskeyConfig party;

    public BrowserReports(MetricRegistry metrics, CeremonyHistory history, PasskeyConfig party) {
        this.outcomes = metrics.counter("passkey_browser_outcomes_total")
                .help("Ceremonies by outcome, as reported by browsers.")
                .labels("ceremony", "outcome")
                .register();
        this.unverified = metrics.counter("passkey_browser_reports_unverified_total")
                .help("Browser reports about unknown options, or about options that were already reported.")
                .register();
        this.history = history;
        this.party = party;
    }

    /** Records a report; {@code challenge} is null unless this service issued it. */
    public void record(Exchange exchange, BrowserReport report, @Nullable String challenge) {
        boolean waiting = report.outcome() == BrowserOutcome.WAITING; // the outcome follows
        boolean verified = challenge != null && (waiting || isFirst(challenge));
        RequestTrace trace = RequestTrace.of(exchange);
        BrowserReport shown = verified ? report.asVerified() : report;
        history.add(
                trace.id(), isAtWrongAddress(report) ? shown.atWrongAddress(party.origin()) : shown, trace.address());
        if (waiting) {
            return;
        }
        if (!verified) {
            unverified.inc();
            return;
        }
        outcomes.with(report.ceremony(), report.outcome().code()).inc();
        if (report.outcome() == BrowserOutcome.CONFIG) {
            exchange.logger()
                    .warn(
                            "a browser refuses passkeys on this page: check RP_ID and RP_ORIGIN",
                            new Fields()
                                    .put("ceremony", report.ceremony())
                                    .put("error", report.error())
                                    .put("origin", report.page().origin())
                                    .put("expectedOrigin", party.origin())
                                    .put("rpId", report.page().rpId())
                                    .put("expectedRpId", party.rpId())
                                    .put("support_code", trace.supportCode())
                                    .put("support_code_claimed", trace.claimed() ? true : null));
        }
    }

    /** Whether a page found its own address invalid, before it requested options. */
    private boolean isAtWrongAddress(BrowserReport report) {
        String origin = report.page().origin();
        return report.outcome() == BrowserOutcome.CONFIG
                && report.page().rpId().isEmpty()
                && !origin.isEmpty()
                && !origin.equals(party.origin())
                && !party.relatedOrigins().contains(origin);
    }

    private boolean isFirst(String challenge) {
        synchronized (reported) {
            return reported.add(challenge);
        }
    }
}
