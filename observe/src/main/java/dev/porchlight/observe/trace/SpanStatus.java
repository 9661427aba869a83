// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

/** The status of a span, with its OTLP number. Only the application sets {@link #OK}. */
public enum SpanStatus {
    UNSET(0),
    OK(1),
    ERROR(2);

    final int code;

    SpanStatus(int code) {
        this.code = code;
    }
}
