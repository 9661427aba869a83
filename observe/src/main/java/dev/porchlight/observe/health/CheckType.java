// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

/** Which probe a check belongs to. */
public enum CheckType {
    /** The process is beyond help and should be restarted when such a check is down. */
    LIVENESS,
    /** The process should get no requests while such a check is down. */
    READINESS
}
