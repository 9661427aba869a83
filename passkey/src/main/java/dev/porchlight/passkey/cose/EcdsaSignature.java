// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import java.math.BigInteger;

/**
 * An ECDSA signature: two integers from 1 to n-1.
 *
 * <p>Both (r, s) and (r, n-s) verify, so a signature must not be used to detect replays.
 */
public record EcdsaSignature(EcCurve curve, BigInteger r, BigInteger s) {
    private static final String PART = "signature";
    private static final int SEQUENCE = 0x30;
    private static final int INTEGER = 0x02;
    private static final int LONG_LENGTH = 0x81;

    public EcdsaSignature {
        if (!inRange(curve, r) || !inRange(curve, s)) {
            throw new IllegalArgumentException("r or s is outside 1 to n-1");
        }
    }

    /** Parses strict DER: a sequence of two positive integers in shortest form, and nothing after it. */
    public static EcdsaSignature parse(EcCurve curve, Bytes der) throws MalformedException {
        // Two integers need at most 70 bytes on P-256 and 136 on P-521: one byte for the length, or two from 128 on.
        int from = der.size() > 2 && der.at(1) == LONG_LENGTH ? 3 : 2;
        int length = der.size() - from;
        if (der.size() < 8 || der.at(0) != SEQUENCE || der.at(from - 1) != length || (from == 3) != (length > 127)) {
            throw new MalformedException(PART, "not one DER sequence");
        }
        int sFrom = integerEnd(curve, der, from);
        if (integerEnd(curve, der, sFrom) != der.size()) {
            throw new MalformedException(PART, "more than two integers");
        }
        try {
            return new EcdsaSignature(curve, integer(der, from, sFrom), integer(der, sFrom, der.size()));
        } catch (IllegalArgumentException e) {
            throw new MalformedException(PART, String.valueOf(e.getMessage()));
        }
    }

    private static int integerEnd(EcCurve curve, Bytes der, int from) throws MalformedException {
        if (der.size() < from + 3 || der.at(from) != INTEGER) {
            throw new MalformedException(PART, "not two DER integers");
        }
        int length = der.at(from + 1);
        if (length < 1 || length > curve.n.bitLength() / 8 + 1 || from + 2 + length > der.size()) {
            throw new MalformedException(PART, "a DER integer of the wrong length");
        }
        int first = der.at(from + 2);
        if (first >= 0x80) {
            throw new MalformedException(PART, "a negative integer");
        }
        if (first == 0 && length > 1 && der.at(from + 3) < 0x80) {
            throw new MalformedException(PART, "a DER integer not in its shortest form");
        }
        return from + 2 + length;
    }

    private static BigInteger integer(Bytes der, int from, int to) {
        return new BigInteger(der.slice(from + 2, to).toByteArray());
    }

    private static boolean inRange(EcCurve curve, BigInteger number) {
        return number.signum() > 0 && number.compareTo(curve.n) < 0;
    }
}
