// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import static net.logstash.logback.argument.StructuredArguments.keyValue;

import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.passkey.Operation;
import dev.porchlight.server.http.Stack;

/** The service's log line, written with logback. */
final class CeremonyLog implements CeremonyTelemetry.ContextListener {
    private final Pseudonyms pseudonyms;

    CeremonyLog(Pseudonyms pseudonyms) {
        this.pseudonyms = pseudonyms;
    }

    @Override
    public void finished(Operation operation, CeremonyContext context) {
        if (operation.finishes()) {
            Stack.LOG.info(
                    operation.code() + ' ' + context.result,
                    keyValue("trace_id", context.trace.id()),
                    keyValue("ceremony", operation.code()),
                    keyValue("outcome", context.result),
                    keyValue("reason", context.reason),
                    keyValue("user", context.userId == null ? "" : pseudonyms.of(context.userId)),
                    keyValue("credential", context.credential),
                    keyValue("support_code", context.trace.supportCode()),
                    keyValue("durationMs", context.nanos / 1e6));
        }
    }
}
