// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.canary;

/** A step with an unexpected result, which ends the round. */
final class FailedStepException extends Exception {
    private static final long serialVersionUID = 1;

    private final String step;

    FailedStepException(String step, Exception cause) {
        super(message(cause), cause);
        this.step = step;
    }

    /** Some have no message: a refused connection has only its class. */
    private static String message(Exception cause) {
        String message = cause.getMessage();
        return message == null ? cause.toString() : message;
    }

    String step() {
        return step;
    }
}
