// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.oracles;

/** The attestation checks that an oracle requires. */
public enum AttestationLevel {
    /** Statements must verify; their issuer does not matter. */
    VERIFIED,
    /** Statements must verify and chain to a trusted root. */
    TRUSTED
}
