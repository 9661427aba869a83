// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

import org.jspecify.annotations.Nullable;

/** A function that looks at one thing the service needs. */
@FunctionalInterface
public interface HealthCheck {
    /**
     * Looks once. It is interrupted at its deadline and should then end; until it does it is not called again. Throwing
     * anything, or returning null, means down.
     */
    @Nullable
    CheckResult check() throws Exception;
}
