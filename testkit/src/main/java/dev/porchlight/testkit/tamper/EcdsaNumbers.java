// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import dev.porchlight.testkit.key.P256;
import dev.porchlight.testkit.wire.Der;
import dev.porchlight.testkit.wire.Octets;
import java.math.BigInteger;
import java.util.Arrays;

/** The two numbers of an ECDSA signature over P-256, out of DER and back into it, or into something like it. */
record EcdsaNumbers(BigInteger r, BigInteger s) {
    /** Reads what the kit's own keys sign, which is well-formed. */
    static EcdsaNumbers read(byte[] der) {
        int sAt = 4 + der[3];
        return new EcdsaNumbers(
                new BigInteger(Arrays.copyOfRange(der, 4, sAt)), new BigInteger(Octets.tail(der, sAt + 2)));
    }

    byte[] der() {
        return Der.sequence(Der.integer(r), Der.integer(s));
    }

    byte[] raw() {
        return Octets.join(Octets.fixed(r, 32), Octets.fixed(s, 32));
    }

    EcdsaNumbers withR(BigInteger other) {
        return new EcdsaNumbers(other, s);
    }

    EcdsaNumbers withS(BigInteger other) {
        return new EcdsaNumbers(r, other);
    }

    /** The other signature that verifies wherever this one does. */
    EcdsaNumbers twin() {
        return withS(P256.N.subtract(s));
    }

    /** This one or its twin, whichever has the larger s: that takes all 256 bits but in one case of 2^32. */
    EcdsaNumbers withLargeS() {
        return s.bitLength() == 256 ? this : twin();
    }
}
