// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

/** The outcome of a check. */
public enum CheckStatus {
    UP("up"),
    DOWN("down");

    private final String word;

    CheckStatus(String word) {
        this.word = word;
    }

    /** The lower-case word used on the wire. */
    public String word() {
        return word;
    }
}
