// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

/**
 * The browser or the authenticator declines, under the name the page would see: {@code SecurityError},
 * {@code NotAllowedError} and so on.
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
