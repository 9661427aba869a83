// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.passkey.data.Bytes;
import java.security.Provider;
import org.jspecify.annotations.Nullable;

/**
 * Asks a security provider, through {@link SignatureCheck}, questions whose answers are known: for a service that wants to
 * know at its start, and to say, that signatures are judged right on this machine.
 */
public final class SignatureSelfTest {
    private static final Bytes ZEROES = Bytes.ofHex("3006020100020100");
    private static final Bytes ONE = Bytes.ofHex("00".repeat(31) + "01");

    private SignatureSelfTest() {}

    /** What the JDK's own provider gets wrong, or null. */
    public static @Nullable String fault() {
        return fault(null);
    }

    /** What the provider gets wrong, in words, or null when it gets everything right. */
    public static @Nullable String fault(@Nullable Provider provider) {
        SignatureCheck check;
        try {
            check = new SignatureCheck(provider);
        } catch (IllegalArgumentException e) {
            return "a signature that is right is refused, or one that is wrong is accepted";
        }
        byte[] flipped = SignatureCheck.KNOWN_SIGNATURE.toByteArray();
        flipped[20] ^= 1;
        if (check.verify(SignatureCheck.KNOWN_KEY, Bytes.copyOf(flipped), SignatureCheck.KNOWN_MESSAGE)) {
            return "a signature with a flipped bit is accepted";
        }
        if (check.verify(SignatureCheck.KNOWN_KEY, ZEROES, SignatureCheck.KNOWN_MESSAGE)) {
            return "the signature r = s = 0 is accepted";
        }
        return isPoint(ONE, ONE) ? "a key that is not on the curve is accepted" : null;
    }

    private static boolean isPoint(Bytes x, Bytes y) {
        try {
            return new Es256Key(x, y).x().equals(x);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
