// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.oracles;

/** How much an oracle asks of attestation. */
public enum Attestation {
    /** Statements must verify; who made them does not matter. */
    VERIFIED,
    /** Statements must verify and lead to a root. */
    TRUSTED
}
