// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.wire.WireBuffer;
import java.util.List;

/** Turns spans into the body of an OTLP request. */
interface SpanEncoder {
    /** The conventions that the names of our attributes follow. */
    String SCHEMA_URL = "https://opentelemetry.io/schemas/1.37.0";

    String SCOPE_NAME = "dev.porchlight.observe";

    String contentType();

    /** Appends one whole request; false, with the buffer in no useful state, when it grows beyond {@code limit} bytes. */
    boolean encode(List<Span> spans, WireBuffer out, int limit);

    /** The flags of a span or a link: those of W3C, and whether the parent or the linked span is remote, and known to be. */
    static int flags(SpanContext own, boolean remote) {
        return own.flags() & 0xff | 0x100 | (remote ? 0x200 : 0);
    }
}
