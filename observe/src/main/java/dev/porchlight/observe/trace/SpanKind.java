// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

/** The role of a span, with its OTLP number. */
public enum SpanKind {
    INTERNAL(1),
    SERVER(2),
    CLIENT(3),
    PRODUCER(4),
    CONSUMER(5);

    final int code;

    SpanKind(int code) {
        this.code = code;
    }
}
