// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.server.history.SupportCode;
import dev.porchlight.server.http.Exchange;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The trace a request belongs to: the caller's, else our own. Where nothing is traced and the caller names none, the request
 * gets an id of its own, so that it can be found by its support code all the same.
 *
 * @param id 32 hex digits
 * @param claimed whether the caller chose the id, and so the support code: others may have chosen the same
 */
record RequestTrace(String id, String supportCode, boolean claimed) {
    static RequestTrace of(Exchange exchange) {
        SpanContext context = exchange.span().context();
        if (context.valid()) {
            String id = context.traceIdHex();
            String parent = exchange.header("traceparent");
            return new RequestTrace(id, SupportCode.of(context.traceIdHigh()), parent != null && parent.contains(id));
        }
        ThreadLocalRandom random = ThreadLocalRandom.current(); // not a secret, only unlikely to come twice
        long high = random.nextLong();
        HexFormat hex = HexFormat.of();
        String id = hex.toHexDigits(high) + hex.toHexDigits(random.nextLong());
        return new RequestTrace(id, SupportCode.of(high), false);
    }
}
