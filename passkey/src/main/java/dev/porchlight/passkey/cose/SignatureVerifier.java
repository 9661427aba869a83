// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verifies signatures with a given security provider or the JDK's default; those of RSA keys without one. Thread-safe.
 *
 * <p>Received data never makes it throw: a signature that cannot be parsed, or that makes the provider fail, is invalid. A
 * provider that cannot verify at all would therefore look like invalid signatures, so the constructor runs a known answer
 * test first.
 */
public final class SignatureVerifier {
    private static final String ALGORITHM = "SHA256withECDSA";

    // RFC 6979, A.2.5: P-256, SHA-256, message "sample".
    static final EcKey KNOWN_KEY = new EcKey(
            EcCurve.P256,
            Bytes.ofHex("60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"),
            Bytes.ofHex("7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"));
    static final Bytes KNOWN_SIGNATURE =
            Bytes.ofHex("3046022100efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                    + "022100f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8");
    static final Bytes KNOWN_MESSAGE = Bytes.ofUtf8("sample");
    private static final Bytes ZEROES = Bytes.ofHex("3006020100020100");
    private static final Bytes ONE = Bytes.ofHex("00".repeat(31) + "01");

    /** Providers that passed the known answer test, which each takes once. */
    private static final Set<Provider> TESTED =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    private final @Nullable Provider provider;

    /** Creates a verifier with the JDK's default provider. */
    public SignatureVerifier() {
        this(null);
    }

    /**
     * Creates a verifier with this provider, or with the JDK's default if null.
     *
     * @throws IllegalArgumentException if the provider fails the known answer test
     */
    public SignatureVerifier(@Nullable Provider provider) {
        this.provider = provider;
        try {
            Provider tested =
                    provider == null ? Signature.getInstance(ALGORITHM).getProvider() : provider;
            if (TESTED.contains(tested)) {
                return;
            }
            if (verify(KNOWN_KEY, KNOWN_SIGNATURE, KNOWN_MESSAGE) && !verify(KNOWN_KEY, KNOWN_SIGNATURE, Bytes.EMPTY)) {
                TESTED.add(tested);
                return;
            }
        } catch (NoSuchAlgorithmException e) {
            // reported like a failed test
        }
        throw new IllegalArgumentException(
                "known answer test for ES256 failed: " + (provider == null ? "the JDK" : provider));
    }

    /** Returns whether the signature verifies over the concatenated parts. */
    public boolean verify(CredentialPublicKey key, Bytes signature, Bytes... signed) {
        try {
            return key.verify(provider, signature, signed);
        } catch (MalformedException | GeneralSecurityException | RuntimeException e) {
            return false;
        }
    }

    /** Tests a provider, or the JDK's default if null. Returns a description of the first failure, or null. */
    public static @Nullable String fault(@Nullable Provider provider) {
        SignatureVerifier check;
        try {
            check = new SignatureVerifier(provider);
        } catch (IllegalArgumentException e) {
            return "a valid signature is refused, or an invalid one is accepted";
        }
        byte[] flipped = KNOWN_SIGNATURE.toByteArray();
        flipped[20] ^= 1;
        if (check.verify(KNOWN_KEY, Bytes.copyOf(flipped), KNOWN_MESSAGE)) {
            return "a signature with a flipped bit is accepted";
        }
        if (check.verify(KNOWN_KEY, ZEROES, KNOWN_MESSAGE)) {
            return "the signature r = s = 0 is accepted";
        }
        return EcCurve.P256.fault(ONE, ONE) == null ? "a key that is not on the curve is accepted" : null;
    }

    /** Verifies a signature with this JCA algorithm, and a key of the same provider. */
    static boolean verify(
            String algorithm, @Nullable Provider provider, PublicKey key, Bytes signature, Bytes... signed)
            throws GeneralSecurityException {
        Signature verifier =
                provider == null ? Signature.getInstance(algorithm) : Signature.getInstance(algorithm, provider);
        verifier.initVerify(key);
        for (Bytes part : signed) {
            verifier.update(part.toByteArray());
        }
        return verifier.verify(signature.toByteArray());
    }

    /** Converts a SubjectPublicKeyInfo to a key of this provider. */
    static PublicKey key(String kind, @Nullable Provider provider, Bytes encoded) throws GeneralSecurityException {
        KeyFactory factory = provider == null ? KeyFactory.getInstance(kind) : KeyFactory.getInstance(kind, provider);
        return factory.generatePublic(new X509EncodedKeySpec(encoded.toByteArray()));
    }

    /** Returns the provider if it has these signatures and this kind of keys, otherwise null. */
    static @Nullable Provider having(@Nullable Provider provider, String algorithm, String kind) {
        return provider != null
                        && provider.getService("Signature", algorithm) != null
                        && provider.getService("KeyFactory", kind) != null
                ? provider
                : null;
    }

    static Bytes join(Bytes... parts) {
        Bytes joined = Bytes.EMPTY;
        for (Bytes part : parts) {
            joined = joined.concat(part);
        }
        return joined;
    }
}
