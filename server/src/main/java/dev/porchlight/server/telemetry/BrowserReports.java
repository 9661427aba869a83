// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.metrics.Counter;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.server.history.BrowserOutcome;
import dev.porchlight.server.history.CeremonyEvent.BrowserReport;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.http.Exchange;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records what browsers report of their side of a ceremony: a counter, an entry of the history and, when a browser finds the
 * configuration wrong, a line in the log. Only reports on options of this service count, once each. Others are shown as
 * unverified. Thread-safe.
 */
public final class BrowserReports {
    /** How many challenges are remembered as reported on. */
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
                .help("Ceremonies with options of this service by outcome, as browsers report them.")
                .labels("ceremony", "outcome")
                .register();
        this.unverified = metrics.counter("passkey_browser_reports_unverified_total")
                .help(
                        "Reports of browsers that belong to no options of this service, or to options that were reported on before.")
                .register();
        this.history = history;
        this.party = party;
    }

    /** Records a report on options with this challenge, which this service issued; null if it did not. */
    public void take(Exchange exchange, BrowserReport report, @Nullable String challenge) {
        boolean verified = challenge != null && isFirst(challenge);
        RequestTrace trace = RequestTrace.of(exchange);
        history.add(trace.id(), verified ? report.asVerified() : report);
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
                                    .put("origin", report.origin())
                                    .put("expectedOrigin", party.origin())
                                    .put("rpId", report.rpId())
                                    .put("expectedRpId", party.rpId())
                                    .put("support_code", trace.supportCode())
                                    .put("support_code_claimed", trace.claimed() ? true : null));
        }
    }

    private boolean isFirst(String challenge) {
        synchronized (reported) {
            return reported.add(challenge);
        }
    }
}
