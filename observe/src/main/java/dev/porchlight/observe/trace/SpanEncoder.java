// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.wire.WireBuffer;
import java.util.List;

/** Encodes spans as the body of an OTLP request. */
interface SpanEncoder {
    /** The semantic conventions that attribute names follow. */
    String SCHEMA_URL = "https://opentelemetry.io/schemas/1.37.0";

    String SCOPE_NAME = "dev.porchlight.observe";

    String contentType();

    /** Appends one request. Returns false, with undefined buffer content, if it exceeds {@code limit} bytes. */
    boolean encode(List<Span> spans, WireBuffer out, int limit);

    /** Returns the OTLP flags of a span or link: the W3C flags, and whether the parent or linked span is remote. */
    static int flags(SpanContext own, boolean remote) {
        return own.flags() & 0xff | 0x100 | (remote ? 0x200 : 0);
    }
}
