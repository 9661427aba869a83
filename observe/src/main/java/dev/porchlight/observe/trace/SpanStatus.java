// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

/** How an operation ended, with the numbers OTLP gives the answers. {@link #OK} is only ever set by the application. */
public enum SpanStatus {
    UNSET(0),
    OK(1),
    ERROR(2);

    private final int code;

    SpanStatus(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
