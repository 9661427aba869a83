// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

/**
 * Thrown when the browser or the authenticator refuses a call, with the name that a page would see, such as {@code
 * SecurityError} or {@code NotAllowedError}.
 */
public final class DomException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String name;

    DomException(String name, String message) {
        super(name + ": " + message);
        this.name = name;
    }

    /** The name of the DOMException, or {@code TypeError}. */
    public String name() {
        return name;
    }
}
