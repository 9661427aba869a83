// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.data.CborMap;
import dev.porchlight.passkey.data.CborValue;

/**
 * A credential public key in COSE form, parsed as far as its algorithm.
 *
 * @param algorithm the COSE number of its signature algorithm
 * @param members the members of the key
 */
public record CoseKey(long algorithm, CborMap members) {
    static final String PART = "credentialPublicKey";
    static final long ALG = 3;

    /** Reads the algorithm, which WebAuthn requires. */
    public static CoseKey read(CborMap members) throws MalformedException {
        var alg = CborMap.require(CborValue.Int.class, members.get(ALG), PART + ".alg", "missing or not a number");
        return new CoseKey(alg.value(), members);
    }
}
