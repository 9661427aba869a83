// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.wire;

/** Says that a text is not the JSON that was expected. */
public final class JsonException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public JsonException(String message) {
        super(message);
    }
}
