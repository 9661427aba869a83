// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

/** Receives the results of a registry's checks, in the thread of the probe. Exceptions it throws are ignored. */
public interface HealthListener {
    /** A check was run, or given up at its deadline. An answer repeated from the last second is not reported again. */
    default void checked(CheckReport report) {}

    /** A check that was up is down, or the reverse. A check counts as up until it was first run. */
    default void changed(CheckReport report) {}
}
