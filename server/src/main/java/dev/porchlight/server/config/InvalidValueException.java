// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

/** A text that a setting does not accept. Its message says what is needed. */
final class InvalidValueException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String problem;

    InvalidValueException(String problem, String needed) {
        super(needed);
        this.problem = problem;
    }

    static InvalidValueException quoting(String text, String needed) {
        return new InvalidValueException("is \"" + text + '"', needed);
    }

    String problem() {
        return problem;
    }
}
