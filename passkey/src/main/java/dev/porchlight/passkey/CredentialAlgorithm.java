// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import java.util.Optional;
import java.util.stream.Stream;

/** The signature algorithms of passkeys. */
public enum CredentialAlgorithm {
    /** ECDSA on P-256 with SHA-256, which all authenticators support except for some TPMs. */
    ES256(-7),
    /** RSA with PKCS#1 v1.5 and SHA-256: keys of 2048 to 4096 bits with the exponent 65537. */
    RS256(-257);

    private final long cose;

    CredentialAlgorithm(long cose) {
        this.cose = cose;
    }

    /** The COSE number. */
    public long cose() {
        return cose;
    }

    /** Returns the algorithm with this COSE number, if it is known. */
    public static Optional<CredentialAlgorithm> of(long cose) {
        return Stream.of(values()).filter(algorithm -> algorithm.cose == cose).findFirst();
    }
}
