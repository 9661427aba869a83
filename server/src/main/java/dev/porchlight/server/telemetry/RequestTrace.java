// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.server.console.SupportCode;
import dev.porchlight.server.http.Exchange;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The trace a request belongs to: the caller's, else our own. Where nothing is traced and the caller names none, the request
 * gets an id of its own, so that it can be found by its support code all the same.
 *
 * @param id 32 hex digits
 */
record RequestTrace(String id, String supportCode) {
    static RequestTrace of(Exchange exchange) {
        SpanContext context = exchange.span().context();
        if (context.valid()) {
            return new RequestTrace(context.traceIdHex(), SupportCode.of(context.traceIdHigh()));
        }
        ThreadLocalRandom random = ThreadLocalRandom.current(); // not a secret, only unlikely to come twice
        long high = random.nextLong();
        HexFormat hex = HexFormat.of();
        return new RequestTrace(hex.toHexDigits(high) + hex.toHexDigits(random.nextLong()), SupportCode.of(high));
    }
}
