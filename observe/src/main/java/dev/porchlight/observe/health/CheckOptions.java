// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

import java.util.Objects;

/**
 * The options of a check.
 *
 * @param type the probe it belongs to
 * @param timeoutMs its deadline in milliseconds, at least 1
 */
public record CheckOptions(CheckType type, long timeoutMs) {
    /** The default deadline. Every check has one, so that a probe always gets a response. */
    public static final long DEFAULT_TIMEOUT_MS = 5_000;

    private static final long MAX_TIMEOUT_MS = 3_600_000;

    public CheckOptions {
        Objects.requireNonNull(type, "type");
        if (timeoutMs < 1 || timeoutMs > MAX_TIMEOUT_MS) {
            throw new IllegalArgumentException("timeoutMs must be between 1 and " + MAX_TIMEOUT_MS + ": " + timeoutMs);
        }
    }

    public static CheckOptions readiness() {
        return new CheckOptions(CheckType.READINESS, DEFAULT_TIMEOUT_MS);
    }

    /** A check that the readiness probe shows but that does not turn it down. */
    public static CheckOptions optional() {
        return new CheckOptions(CheckType.OPTIONAL, DEFAULT_TIMEOUT_MS);
    }

    public static CheckOptions liveness() {
        return new CheckOptions(CheckType.LIVENESS, DEFAULT_TIMEOUT_MS);
    }

    public CheckOptions withTimeoutMs(long newTimeoutMs) {
        return new CheckOptions(type, newTimeoutMs);
    }
}
