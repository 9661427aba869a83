// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

import dev.porchlight.testkit.attestation.Attester;

/** The ways a {@link SoftAuthenticator} can attest its passkeys when a relying party asks. */
public enum AttestationFormat {
    /** States nothing. */
    NONE;

    Attester attester() {
        return switch (this) {
            case NONE -> Attester.NONE;
        };
    }
}
