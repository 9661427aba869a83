// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.passkey.data.Bytes;
import dev.porchlight.passkey.data.MalformedException;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Signature;
import org.jspecify.annotations.Nullable;

/**
 * Verifies ES256 signatures, with a given security provider or the JDK's own. Thread-safe.
 *
 * <p>Nothing that a stranger sends makes it throw: a signature that cannot be read, or that the provider stumbles over,
 * is a wrong signature.
 */
public final class SignatureCheck {
    private static final String ALGORITHM = "SHA256withECDSA";

    private final @Nullable Provider provider;

    /** A check by the provider that the JDK prefers. */
    public SignatureCheck() {
        this.provider = null;
    }

    /** A check by a provider of the caller's choice. */
    public SignatureCheck(Provider provider) {
        this.provider = provider;
    }

    /** Whether the signature, in DER, is that of the key over the parts one after the other. */
    public boolean verify(Es256Key key, Bytes signature, Bytes... signed) {
        try {
            EcdsaSignature.parse(signature);
            Signature verifier =
                    provider == null ? Signature.getInstance(ALGORITHM) : Signature.getInstance(ALGORITHM, provider);
            verifier.initVerify(key.toPublicKey(provider));
            for (Bytes part : signed) {
                verifier.update(part.toByteArray());
            }
            return verifier.verify(signature.toByteArray());
        } catch (MalformedException | GeneralSecurityException | RuntimeException e) {
            return false;
        }
    }
}
