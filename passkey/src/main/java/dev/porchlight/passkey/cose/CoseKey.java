// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.data.CborMap;
import dev.porchlight.passkey.data.CborValue;

/**
 * A credential public key in COSE form, read far enough to tell an algorithm that was not offered from a bad key.
 *
 * @param algorithm the COSE number of its signature algorithm
 * @param members all of it
 */
public record CoseKey(long algorithm, CborMap members) {
    /** ECDSA with SHA-256, which WebAuthn ties to P-256. */
    public static final long ES256 = -7;

    static final String PART = "credentialPublicKey";
    private static final long ALG = 3;

    /** Reads the algorithm, which WebAuthn makes mandatory in a credential public key. */
    public static CoseKey read(CborMap members) throws MalformedException {
        if (members.get(ALG) instanceof CborValue.Int alg) {
            return new CoseKey(alg.value(), members);
        }
        throw new MalformedException(PART + ".alg", "missing or not a number");
    }

    /** Whether this is a key for ES256. */
    public boolean isEs256() {
        return algorithm == ES256;
    }
}
