// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Signature;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Verifies ES256 signatures, with a given security provider or the JDK's own. Thread-safe.
 *
 * <p>Nothing that a stranger sends makes it throw: a signature that cannot be read, or that the provider stumbles over,
 * is a wrong signature. For the same reason a provider that cannot verify at all would look like wrong signatures only,
 * so the constructor asks it a question with a known answer first.
 */
public final class SignatureCheck {
    private static final String ALGORITHM = "SHA256withECDSA";

    // RFC 6979, A.2.5: P-256, SHA-256, message "sample".
    static final Es256Key KNOWN_KEY = new Es256Key(
            Bytes.ofHex("60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"),
            Bytes.ofHex("7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"));
    static final Bytes KNOWN_SIGNATURE =
            Bytes.ofHex("3046022100efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                    + "022100f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8");
    static final Bytes KNOWN_MESSAGE = Bytes.ofUtf8("sample");
    private static final Bytes ZEROES = Bytes.ofHex("3006020100020100");
    private static final Bytes ONE = Bytes.ofHex("00".repeat(31) + "01");

    private final @Nullable Provider provider;

    /** A check by the provider that the JDK prefers. */
    public SignatureCheck() {
        this(null);
    }

    /**
     * A check by a provider of the caller's choice, or the one that the JDK prefers for null.
     *
     * @throws IllegalArgumentException if it does not tell a right signature from a wrong one
     */
    public SignatureCheck(@Nullable Provider provider) {
        this.provider = provider;
        if (!verify(KNOWN_KEY, KNOWN_SIGNATURE, KNOWN_MESSAGE) || verify(KNOWN_KEY, KNOWN_SIGNATURE, Bytes.EMPTY)) {
            throw new IllegalArgumentException("does not verify ES256: " + (provider == null ? "the JDK" : provider));
        }
    }

    /** Whether the signature, in DER, is that of the key over the parts one after the other. */
    public boolean verify(Es256Key key, Bytes signature, Bytes... signed) {
        try {
            EcdsaSignature numbers = EcdsaSignature.parse(signature);
            return PlainEcdsa.isEdgeCase(numbers)
                    ? PlainEcdsa.verify(key, numbers, join(signed).sha256())
                    : ask(key, signature, signed);
        } catch (MalformedException | GeneralSecurityException | RuntimeException e) {
            return false;
        }
    }

    /** Returns what a provider, or the JDK's own for null, gets wrong, in words, or null if it gets everything right. */
    public static @Nullable String fault(@Nullable Provider provider) {
        SignatureCheck check;
        try {
            check = new SignatureCheck(provider);
        } catch (IllegalArgumentException e) {
            return "a signature that is right is refused, or one that is wrong is accepted";
        }
        byte[] flipped = KNOWN_SIGNATURE.toByteArray();
        flipped[20] ^= 1;
        if (check.verify(KNOWN_KEY, Bytes.copyOf(flipped), KNOWN_MESSAGE)) {
            return "a signature with a flipped bit is accepted";
        }
        if (check.verify(KNOWN_KEY, ZEROES, KNOWN_MESSAGE)) {
            return "the signature r = s = 0 is accepted";
        }
        return P256.fault(ONE, ONE) == null ? "a key that is not on the curve is accepted" : null;
    }

    private boolean ask(Es256Key key, Bytes signature, Bytes... signed) throws GeneralSecurityException {
        Signature verifier =
                provider == null ? Signature.getInstance(ALGORITHM) : Signature.getInstance(ALGORITHM, provider);
        verifier.initVerify(key.toPublicKey(provider));
        for (Bytes part : signed) {
            verifier.update(part.toByteArray());
        }
        return verifier.verify(signature.toByteArray());
    }

    private static Bytes join(Bytes... parts) {
        return Arrays.stream(parts).reduce(Bytes.EMPTY, Bytes::concat);
    }
}
