// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

/** A user id or a name that is empty, too long, or contains control characters. */
public final class InvalidTextException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String field;

    InvalidTextException(String field, String fault) {
        super(field + " " + fault);
        this.field = field;
    }

    /** The name of the text: {@code userId}, {@code name} or {@code displayName}. */
    public String field() {
        return field;
    }
}
