// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.cose.EcKey;
import dev.porchlight.passkey.cose.SignatureVerifier;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import org.jspecify.annotations.Nullable;

/** Verifies the signatures of attestation keys, with the given security provider if it supports the algorithm. Thread-safe. */
final class AttestationSignature {
    private final @Nullable Provider provider;
    private final SignatureVerifier keys;

    AttestationSignature(@Nullable Provider provider) {
        this.provider = provider;
        this.keys = new SignatureVerifier(provider);
    }

    /** Returns whether the credential's own key signed. */
    boolean isBy(CredentialPublicKey key, Bytes signature, Bytes signed) {
        return keys.verify(key, signature, signed);
    }

    /** Requires a signature by a certificate's key, with the algorithm of this COSE number. */
    void require(long cose, PublicKey key, Bytes signature, Bytes signed) throws InvalidStatementException {
        var algorithm = AttestationAlgorithm.of(cose);
        InvalidStatementException.require(algorithm.isPresent(), AttestationReason.ALGORITHM_UNSUPPORTED);
        require(algorithm.get(), key, signature, signed);
    }

    void require(AttestationAlgorithm algorithm, PublicKey key, Bytes signature, Bytes signed)
            throws InvalidStatementException {
        InvalidStatementException.require(algorithm.fits(key), AttestationReason.ALGORITHM_UNSUPPORTED);
        var point = EcKey.of(key);
        boolean valid = point.isPresent()
                ? keys.verify(point.get(), signature, signed)
                : verify(algorithm.signature, key, signature, signed);
        InvalidStatementException.require(valid, AttestationReason.SIGNATURE_INVALID);
    }

    private boolean verify(String algorithm, PublicKey key, Bytes signature, Bytes signed) {
        try {
            Signature verifier = provider == null || provider.getService("Signature", algorithm) == null
                    ? Signature.getInstance(algorithm)
                    : Signature.getInstance(algorithm, provider);
            verifier.initVerify(key);
            verifier.update(signed.toByteArray());
            return verifier.verify(signature.toByteArray());
        } catch (GeneralSecurityException | RuntimeException e) {
            return false; // a signature that makes a provider fail is invalid
        }
    }
}
