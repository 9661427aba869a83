// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.metrics.Counter;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.server.console.BrowserOutcome;
import dev.porchlight.server.console.CeremonyEvent.BrowserReport;
import dev.porchlight.server.console.CeremonyHistory;
import dev.porchlight.server.http.Exchange;

/**
 * Takes what browsers say of their side of a ceremony: a counter, an entry of the history and, when a browser holds the
 * configuration to be wrong, a line in the log. Thread-safe.
 */
public final class BrowserReports {
    private final Counter outcomes;
    private final CeremonyHistory history;
    private final PasskeyConfig party;

    public BrowserReports(MetricRegistry metrics, CeremonyHistory history, PasskeyConfig party) {
        this.outcomes = metrics.counter(
                "passkey_browser_outcomes_total",
                "Ceremonies by outcome, as browsers report them.",
                "ceremony",
                "outcome");
        this.history = history;
        this.party = party;
    }

    public void take(Exchange exchange, BrowserReport report) {
        outcomes.with(report.ceremony(), report.outcome().code()).inc();
        RequestTrace trace = RequestTrace.of(exchange);
        history.add(trace.id(), report);
        if (report.outcome() == BrowserOutcome.CONFIG) {
            exchange.logger()
                    .warn(
                            "a browser refuses passkeys on this page: check RP_ID and RP_ORIGIN",
                            new Fields()
                                    .put("ceremony", report.ceremony())
                                    .put("error", report.error())
                                    .put("origin", report.origin())
                                    .put("expectedOrigin", party.origin())
                                    .put("rpId", report.rpId())
                                    .put("expectedRpId", party.rpId())
                                    .put("support_code", trace.supportCode()));
        }
    }
}
