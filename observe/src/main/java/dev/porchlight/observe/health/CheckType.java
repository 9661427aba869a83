// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

/** The probe that a check belongs to. */
public enum CheckType {
    /** The process should be restarted while such a check is down. */
    LIVENESS,
    /** The process should receive no requests while such a check is down. */
    READINESS
}
