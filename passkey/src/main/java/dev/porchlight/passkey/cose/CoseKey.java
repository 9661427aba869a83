// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
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
    private static final long ALG = 3;

    /** Reads the algorithm, which WebAuthn requires. */
    public static CoseKey read(CborMap members) throws MalformedException {
        var alg = CborMap.require(CborValue.Int.class, members.get(ALG), PART + ".alg", "missing or not a number");
        return new CoseKey(alg.value(), members);
    }

    static void expect(CborMap key, long label, long value, String name, String otherwise) throws MalformedException {
        if (!new CborValue.Int(value).equals(key.get(label))) {
            throw new MalformedException(PART + '.' + name, otherwise);
        }
    }

    /** Requires one of an algorithm's numbers. */
    static void expectAlgorithm(CborMap key, CredentialAlgorithm algorithm) throws MalformedException {
        if (!(key.get(ALG) instanceof CborValue.Int number)
                || !algorithm.numbers().contains(number.value())) {
            throw new MalformedException(PART + ".alg", "not " + algorithm + " (" + algorithm.cose() + ")");
        }
    }
}
