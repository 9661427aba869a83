// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

/** Receives the results of a registry's checks, in the thread of the probe. Exceptions it throws are ignored. */
public interface HealthListener {
    /** Called when a check has returned or exceeded its deadline. A cached result is not reported again. */
    default void checked(CheckReport report) {}

    /** Called when the status of a check changes. A check counts as up until its first run. */
    default void changed(CheckReport report) {}
}
