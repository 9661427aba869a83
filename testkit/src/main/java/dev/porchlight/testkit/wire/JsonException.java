// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.wire;

/** Thrown for text that is not the expected JSON. */
public final class JsonException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public JsonException(String message) {
        super(message);
    }
}
