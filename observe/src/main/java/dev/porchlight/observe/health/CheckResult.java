// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The result of a check function: up or down, and details for the operator. Immutable.
 *
 * <p>Details are written into the response beside {@code status} and {@code durationMs}. Numbers and booleans keep
 * their type; everything else is written as text.
 *
 * @param details the details, in the given order
 */
public record CheckResult(CheckStatus status, Map<String, Object> details) {
    private static final CheckResult UP = new CheckResult(CheckStatus.UP, Map.of());

    public CheckResult {
        Objects.requireNonNull(status, "status");
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }

    public static CheckResult up() {
        return UP;
    }

    public static CheckResult up(Map<String, ?> details) {
        return new CheckResult(CheckStatus.UP, new LinkedHashMap<>(details));
    }

    /** Creates a down result with the reason as the detail {@code error}. */
    public static CheckResult down(String reason) {
        return new CheckResult(CheckStatus.DOWN, Map.of("error", reason));
    }

    public static CheckResult down(Map<String, ?> details) {
        return new CheckResult(CheckStatus.DOWN, new LinkedHashMap<>(details));
    }
}
