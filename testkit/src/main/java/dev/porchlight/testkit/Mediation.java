// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

/** How a page asks for a passkey. */
public enum Mediation {
    /** With a dialogue. */
    OPTIONAL,
    /**
     * From the autofill of a form field or, when registering, after another way of signing in and without the user's
     * presence.
     */
    CONDITIONAL
}
