// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

import java.util.Map;

/**
 * What is known of one check: its status, how long it took, and details.
 *
 * @param details as the check gave them, or {@code error} when it could give none
 */
public record CheckReport(
        String name, CheckType type, CheckStatus status, long durationNanos, Map<String, Object> details) {
    public boolean up() {
        return status == CheckStatus.UP;
    }
}
