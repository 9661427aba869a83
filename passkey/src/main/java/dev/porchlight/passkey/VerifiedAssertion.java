// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.verify.AssertionProof;
import java.time.Instant;
import java.util.Optional;

/**
 * Proof that a user signed in with a passkey: every step of the authentication has passed. Only a {@link PasskeyService}
 * creates it, so code that grants a session or a token should require one. Immutable.
 */
public final class VerifiedAssertion {
    private final AssertionProof<CredentialRecord> proof;

    VerifiedAssertion(AssertionProof<CredentialRecord> proof) {
        this.proof = proof;
    }

    /** The user who signed in: the owner of the stored passkey, independent of the request. */
    public String userId() {
        return credential().userId();
    }

    /** The passkey, as it was stored before this use. */
    public CredentialRecord credential() {
        return proof.credential();
    }

    /** The sign count that the authenticator presented. */
    public long signCount() {
        return proof.data().signCount();
    }

    /** Returns whether the sign count grew, or is and was zero. */
    public boolean signCountGrew() {
        return proof.signCountGrew();
    }

    /** Returns whether the authenticator verified its user, by PIN or biometrics. */
    public boolean userVerified() {
        return proof.data().userVerified();
    }

    /** The BE flag: whether the passkey may be synced. */
    public boolean backupEligible() {
        return proof.data().backupEligible();
    }

    /** The BS flag: whether the passkey is synced. */
    public boolean backedUp() {
        return proof.data().backedUp();
    }

    /** Returns whether the passkey was device-bound and may now be synced. */
    public boolean becameBackupEligible() {
        return proof.becameBackupEligible();
    }

    /** Returns whether the BS flag differs from that of the last use: a device joined or left the sync of the passkey. */
    public boolean backupStateChanged() {
        Boolean before = credential().flags().backedUp();
        return before != null && before != backedUp();
    }

    /** What speaks against the authenticator, as the policy for authenticators flags it; empty for nothing. */
    public Optional<String> suspicion() {
        return proof.suspicion();
    }

    /** The origin of the page that the user signed in on. */
    public String origin() {
        return proof.origin();
    }

    /** The time of the login. */
    public Instant at() {
        return proof.at();
    }
}
