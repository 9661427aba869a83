// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.passkey.Operation;
import dev.porchlight.server.limit.OncePerSecond;

/** Logs a line for each verified response. Thread-safe. */
final class CeremonyLog implements CeremonyTelemetry.ContextListener {
    private final Pseudonyms pseudonyms;
    private final OncePerSecond failures = new OncePerSecond();

    CeremonyLog(Pseudonyms pseudonyms) {
        this.pseudonyms = pseudonyms;
    }

    @Override
    public void finished(Operation operation, CeremonyContext context) {
        if (!operation.finishes()) {
            return;
        }
        String message = operation.code() + ' ' + context.result;
        String reason = context.reason.isEmpty() ? context.flagged : context.reason;
        Fields fields = new Fields()
                .put("ceremony", operation.code())
                .put("outcome", context.result)
                .put("user", context.userId == null ? null : pseudonyms.of(context.userId))
                .put("credential", context.credential)
                .put("support_code", context.trace.supportCode())
                .put("support_code_claimed", context.trace.claimed() ? true : null)
                .put("durationMs", context.nanos / 1e6);
        if (!reason.isEmpty()) {
            fields.put("reason", reason).put("detail", context.detail);
        }
        if (context.failure != null) {
            // Every ceremony fails while the storage is down.
            long others = failures.pass("");
            if (others != OncePerSecond.HELD_BACK) {
                context.logger.warn(message, fields.put("notLogged", others));
            }
        } else if (reason.isEmpty()) {
            context.logger.info(message, fields);
        } else {
            context.logger.warn(message, fields);
        }
    }
}
