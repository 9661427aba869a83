// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.base.SupportCode;
import dev.porchlight.observe.http.CorrelationId;
import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.server.http.Exchange;

/**
 * The trace of a request: the caller's, or our own. Without either, the request gets a new id, so that its support code still
 * identifies it.
 *
 * @param id 32 hex digits
 * @param claimed whether the caller chose the id, and so the support code, which may then not be unique
 * @param address the client address, as limits count it
 */
public record RequestTrace(String id, boolean claimed, String address) {
    public static RequestTrace of(Exchange exchange) {
        SpanContext context = exchange.span().context();
        String address = exchange.limitKey();
        if (!context.valid()) {
            return new RequestTrace(CorrelationId.newId(), false, address);
        }
        String id = context.traceIdHex();
        String parent = exchange.header("traceparent");
        return new RequestTrace(id, parent != null && parent.contains(id), address);
    }

    public String supportCode() {
        return SupportCode.of(id);
    }
}
