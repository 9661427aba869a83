// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

/** The mediation requirement of a page. */
public enum Mediation {
    /** With a dialog. */
    OPTIONAL,
    /**
     * With autofill of a form field or, for a registration, after another sign-in and without user presence.
     */
    CONDITIONAL
}
