// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.canary;

/** A step of a round that did not go as it should, with which the round ends. */
final class FailedStepException extends Exception {
    private static final long serialVersionUID = 1;

    private final String step;

    FailedStepException(String step, Exception cause) {
        super(told(cause), cause);
        this.step = step;
    }

    /** Some say nothing: of a connection that was refused there is only what kind of exception it is. */
    private static String told(Exception cause) {
        String message = cause.getMessage();
        return message == null ? cause.toString() : message;
    }

    String step() {
        return step;
    }
}
