// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.canary;

import java.net.ProtocolException;

/** A step with an unexpected result, which ends the round. */
final class FailedStepException extends Exception {
    private static final long serialVersionUID = 1;

    private final String step;

    FailedStepException(String step, Exception cause) {
        super(message(cause), cause);
        this.step = step;
    }

    /** Uses the class name if there is no message, as for a refused connection. */
    private static String message(Exception cause) {
        String message = cause.getMessage();
        return message == null || mayQuoteHeader(cause) ? cause.getClass().getName() : message;
    }

    /** The HTTP client quotes the header that it refuses, with the token or the cookie in it. */
    private static boolean mayQuoteHeader(Exception exception) {
        for (Throwable cause = exception; cause != null; cause = cause.getCause()) {
            if (cause instanceof RuntimeException || cause instanceof ProtocolException) {
                return true;
            }
        }
        return false;
    }

    String step() {
        return step;
    }
}
