// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

/** What a span stands for in an exchange, with the numbers OTLP gives the kinds. */
public enum SpanKind {
    INTERNAL(1),
    SERVER(2),
    CLIENT(3),
    PRODUCER(4),
    CONSUMER(5);

    private final int code;

    SpanKind(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
