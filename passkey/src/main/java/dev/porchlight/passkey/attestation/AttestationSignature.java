// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static dev.porchlight.passkey.attestation.AttestationReason.ALGORITHM_UNSUPPORTED;
import static dev.porchlight.passkey.attestation.AttestationReason.SIGNATURE_INVALID;

import dev.porchlight.passkey.cose.Es256Key;
import dev.porchlight.passkey.cose.SignatureCheck;
import dev.porchlight.passkey.data.Bytes;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks the signatures of attestation keys, with a given security provider where it knows the algorithm. Thread-safe.
 */
final class AttestationSignature {
    private final @Nullable Provider provider;
    private final SignatureCheck es256;

    AttestationSignature(@Nullable Provider provider) {
        this.provider = provider;
        this.es256 = new SignatureCheck(provider);
    }

    /** Whether the credential's own key signed. */
    boolean isBy(Es256Key key, Bytes signature, Bytes signed) {
        return es256.verify(key, signature, signed);
    }

    /** Why this is not the signature of a certificate's key with the algorithm of this COSE number; empty if it is. */
    Optional<AttestationReason> fault(long cose, PublicKey key, Bytes signature, Bytes signed) {
        return AttestationAlgorithm.of(cose)
                .map(algorithm -> fault(algorithm, key, signature, signed))
                .orElse(Optional.of(ALGORITHM_UNSUPPORTED));
    }

    /** Why this is not the signature of a certificate's key with this algorithm; empty if it is. */
    Optional<AttestationReason> fault(AttestationAlgorithm algorithm, PublicKey key, Bytes signature, Bytes signed) {
        if (!algorithm.fits(key)) {
            return Optional.of(ALGORITHM_UNSUPPORTED);
        }
        var p256 = Es256Key.of(key);
        boolean valid = p256.isPresent()
                ? es256.verify(p256.get(), signature, signed)
                : verify(algorithm.signature(), key, signature, signed);
        return valid ? Optional.empty() : Optional.of(SIGNATURE_INVALID);
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
            return false; // whatever a stranger's signature makes a provider stumble over is a wrong signature
        }
    }
}
