// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.canary;

import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Logger;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the canary is, for the log and for readiness. Thread-safe.
 *
 * <p>A round that fails leaves readiness up: what it stands on has checks of its own, and an instance that is taken away because
 * of a test helps nobody. A lie that was believed takes it down for good: until somebody has looked and started it anew, an
 * instance that may let in anybody lets in nobody.
 */
final class Condition {
    private final Logger logger;
    private Map<String, Object> details = Map.of("state", "waiting");
    private @Nullable String failingAt;
    private Instant failingSince = Instant.EPOCH;
    private @Nullable String believed;

    Condition(Logger logger) {
        this.logger = logger;
    }

    /** Takes what came of a round, and tells when that is news. */
    synchronized void became(
            List<String> accepted, @Nullable FailedStepException failure, String correlationId, Instant now) {
        Fields fields = Fields.of("correlationId", correlationId);
        if (!accepted.isEmpty()) {
            logger.error(
                    "the canary signed in with an assertion that must be refused",
                    fields.put("accepted", String.join(",", accepted)));
            if (believed == null) {
                believed = accepted.get(0);
                details = with("accepted", now, believed, null);
            }
        }
        if (failure != null) {
            if (failingAt == null) {
                failingSince = now;
            }
            if (!failure.step().equals(failingAt)) {
                logger.warn(
                        "the canary fails",
                        Fields.of("correlationId", correlationId)
                                .put("step", failure.step())
                                .put("why", failure.getMessage()));
            }
            if (believed == null) {
                details = with("failing", failingSince, failure.step(), failure.getMessage());
            }
        } else if (failingAt != null) {
            logger.info("the canary is well again", fields);
        }
        if (believed == null && failure == null) {
            details = with("ok", now, null, null);
        }
        failingAt = failure == null ? null : failure.step();
    }

    synchronized CheckResult check() {
        return believed == null ? CheckResult.up(details) : CheckResult.down(details);
    }

    private static Map<String, Object> with(String state, Instant at, @Nullable String step, @Nullable String why) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", state);
        details.put(state.equals("ok") ? "at" : "since", at.toEpochMilli());
        if (step != null) {
            details.put("step", step);
        }
        if (why != null) {
            details.put("error", why);
        }
        return details;
    }
}
