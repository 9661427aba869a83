// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.canary;

/** A step of a round that did not go as it should, with which the round ends. */
final class FailedStepException extends Exception {
    private static final long serialVersionUID = 1;

    private final String step;

    FailedStepException(String step, Exception cause) {
        super(String.valueOf(cause.getMessage()), cause);
        this.step = step;
    }

    String step() {
        return step;
    }
}
