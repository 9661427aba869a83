// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

import java.util.Map;

/**
 * The report of one check: its status, its duration and details.
 *
 * @param details the details of the check's result, or {@code error} if the check failed to return one
 */
public record CheckReport(
        String name, CheckType type, CheckStatus status, long durationNanos, Map<String, Object> details) {
    public boolean up() {
        return status == CheckStatus.UP;
    }
}
