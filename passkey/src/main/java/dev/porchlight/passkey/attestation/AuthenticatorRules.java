// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.base.Bytes;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known about models of authenticators, and which of them may be used. Implementations are thread-safe. */
public interface AuthenticatorRules {
    /** Knows no model, and allows all. */
    AuthenticatorRules NONE = new AuthenticatorRules() {};

    /**
     * Returns the certificates that are trusted to attest this model. None for one that is unknown or compromised.
     *
     * @param u2f the certificate of a U2F statement, which identifies its model; empty for other formats
     */
    default TrustAnchors anchors(Bytes aaguid, Optional<X509Certificate> u2f, Instant at) {
        return TrustAnchors.NONE;
    }

    /** Returns why a new credential of this model is refused, or empty if it is not. */
    default Optional<String> refusal(Bytes aaguid, Optional<X509Certificate> u2f, Instant at) {
        return Optional.empty();
    }

    /** Returns what speaks against a registered credential of this model, or empty for nothing. */
    default Optional<String> suspicion(@Nullable String aaguid, Instant at) {
        return Optional.empty();
    }

    /** Returns whether an authentication is refused for a suspicion. */
    default boolean refusesSuspicious() {
        return false;
    }
}
