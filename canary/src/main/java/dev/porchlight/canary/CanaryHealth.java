// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.canary;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.canary.CanaryRun.FailedStepException;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Logger;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of the latest rounds, for {@code /health} and the log. Thread-safe.
 *
 * <p>After an accepted bad assertion the state is {@code accepted} until the canary is restarted: such a service needs an
 * operator, even if the next round succeeds.
 */
final class CanaryHealth {
    private final Logger logger;
    private State state = new State("waiting", Instant.EPOCH, null, null);
    private @Nullable String failingAt;
    private Instant failingSince = Instant.EPOCH;

    private record State(
            String name,
            Instant at,
            @Nullable String step,
            @Nullable String error) {}

    CanaryHealth(Logger logger) {
        this.logger = logger;
    }

    /** Records the result of a round, and logs it if it differs from the last one. */
    synchronized void update(
            List<String> accepted, @Nullable FailedStepException failure, String correlationId, Instant now) {
        Fields fields = Fields.of("correlationId", correlationId);
        if (!accepted.isEmpty()) {
            logger.error(
                    "the canary signed in with an assertion that must be refused",
                    fields.put("accepted", String.join(",", accepted)));
            if (ok()) {
                state = new State("accepted", now, accepted.get(0), null);
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
        } else if (failingAt != null) {
            logger.info("the canary succeeds again", fields);
        }
        if (ok()) {
            state = failure == null
                    ? new State("ok", now, null, null)
                    : new State("failing", failingSince, failure.step(), failure.getMessage());
        }
        failingAt = failure == null ? null : failure.step();
    }

    /** Whether no bad assertion was accepted. */
    synchronized boolean ok() {
        return !state.name.equals("accepted");
    }

    synchronized String toJson() {
        return JsonWriter.object(json -> {
            json.text("state", state.name);
            if (!state.name.equals("waiting")) {
                json.number(state.name.equals("ok") ? "at" : "since", state.at.toEpochMilli());
            }
            json.optionalText("step", state.step).optionalText("error", state.error);
        });
    }
}
