// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

/** The probe that a check belongs to. */
public enum CheckType {
    /** The process should be restarted while such a check is down. */
    LIVENESS,
    /** The process should receive no requests while such a check is down. */
    READINESS,
    /** The process works without it. The readiness probe shows such a check and stays up while it is down. */
    OPTIONAL
}
