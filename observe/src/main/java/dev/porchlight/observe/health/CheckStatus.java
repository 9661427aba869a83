// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

import java.util.Locale;

/** The status of a check. */
public enum CheckStatus {
    UP,
    DOWN;

    /** Returns the lowercase word used on the wire. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
