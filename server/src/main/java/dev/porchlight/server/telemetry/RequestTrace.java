// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.server.history.SupportCode;
import dev.porchlight.server.http.Correlation;
import dev.porchlight.server.http.Exchange;

/**
 * The trace of a request: the caller's, or our own. Without either, the request gets a new id, so that its support code still
 * identifies it.
 *
 * @param id 32 hex digits
 * @param claimed whether the caller chose the id, and so the support code, which may then not be unique
 */
public record RequestTrace(String id, boolean claimed) {
    public static RequestTrace of(Exchange exchange) {
        SpanContext context = exchange.span().context();
        if (!context.valid()) {
            return new RequestTrace(Correlation.newId(), false);
        }
        String id = context.traceIdHex();
        String parent = exchange.header("traceparent");
        return new RequestTrace(id, parent != null && parent.contains(id));
    }

    public String supportCode() {
        return SupportCode.of(id);
    }
}
