// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import dev.porchlight.testkit.key.P256;
import dev.porchlight.testkit.wire.Der;
import dev.porchlight.testkit.wire.Octets;
import java.math.BigInteger;
import java.util.Arrays;

/** The two integers of an ECDSA signature over P-256, with DER and other encodings. */
record EcdsaNumbers(BigInteger r, BigInteger s) {
    /** Parses a well-formed signature of the testkit. */
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

    /** Returns the other signature that verifies too. */
    EcdsaNumbers twin() {
        return withS(P256.N.subtract(s));
    }

    /** Returns this signature or its twin, whichever has the larger s, which nearly always has 256 bits. */
    EcdsaNumbers withLargeS() {
        return s.bitLength() == 256 ? this : twin();
    }
}
