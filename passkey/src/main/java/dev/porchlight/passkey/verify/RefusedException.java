// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

/**
 * Ends a procedure at the step that refuses. Never leaves this package: {@link Steps#judge} turns it into a value. It
 * lets the procedures be written as the specification has them, one requirement after the other.
 */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Step step;
    private final String detail;

    RefusedException(Step step, String detail) {
        super(detail, null, false, false);
        this.step = step;
        this.detail = detail;
    }

    <T> Verdict<T> verdict() {
        return new Verdict.Refused<>(step, detail);
    }
}
