// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.base.Bytes;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known about models of authenticators, and which of them may be used. Implementations are thread-safe. */
public interface AuthenticatorRules {
    /** Knows no model, and allows all. */
    AuthenticatorRules NONE = new AuthenticatorRules() {};

    /**
     * Returns the certificates that are trusted to attest this model. None for one that is unknown or compromised.
     *
     * @param path the attestation certificate and its chain, which identify a model of U2F
     */
    default TrustAnchors anchors(Bytes aaguid, List<X509Certificate> path, Instant at) {
        return TrustAnchors.NONE;
    }

    /** Returns why a new credential of this model is refused, or empty if it is not. */
    default Optional<String> refusal(Bytes aaguid, List<X509Certificate> path, Instant at) {
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
