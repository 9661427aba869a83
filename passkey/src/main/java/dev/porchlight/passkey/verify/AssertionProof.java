// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.passkey.data.AuthenticatorData;
import java.time.Instant;
import java.util.Optional;

/**
 * The result of an authentication that passed all steps. Only {@link AssertionCeremony} creates it. Immutable.
 *
 * @param <C> the type of the stored credential
 */
public final class AssertionProof<C extends RegisteredCredential> {
    private final C credential;
    private final AuthenticatorData data;
    private final String origin;
    private final Instant at;
    private final boolean signCountGrew;
    private final Optional<String> suspicion;

    AssertionProof(
            C credential,
            AuthenticatorData data,
            String origin,
            Instant at,
            boolean signCountGrew,
            Optional<String> suspicion) {
        this.credential = credential;
        this.data = data;
        this.origin = origin;
        this.at = at;
        this.signCountGrew = signCountGrew;
        this.suspicion = suspicion;
    }

    public C credential() {
        return credential;
    }

    public AuthenticatorData data() {
        return data;
    }

    public String origin() {
        return origin;
    }

    public Instant at() {
        return at;
    }

    /** Returns whether the sign count grew, or is and was zero. */
    public boolean signCountGrew() {
        return signCountGrew;
    }

    /** What speaks against the authenticator. */
    public Optional<String> suspicion() {
        return suspicion;
    }

    /** Returns whether the credential was device-bound and may now be synced. */
    public boolean becameBackupEligible() {
        return data.backupEligible() && Boolean.FALSE.equals(credential.backupEligible());
    }
}
