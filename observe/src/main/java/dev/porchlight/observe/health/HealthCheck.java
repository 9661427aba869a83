// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

import org.jspecify.annotations.Nullable;

/** Checks one dependency of the service. */
@FunctionalInterface
public interface HealthCheck {
    /**
     * Runs the check once. It is interrupted at its deadline, and not called again until it has returned. Throwing, or
     * returning null, means down.
     */
    @Nullable
    CheckResult check() throws Exception;
}
