// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.verify.AssertionProof;
import java.time.Instant;

/**
 * Proof that a user signed in with a passkey: every step of the authentication has passed. Only a {@link PasskeyService}
 * creates it, so whatever grants a session or a token should require one. Immutable.
 */
public final class VerifiedAssertion {
    private final AssertionProof<CredentialRecord> proof;

    VerifiedAssertion(AssertionProof<CredentialRecord> proof) {
        this.proof = proof;
    }

    /** The user who signed in: the owner of the stored passkey. Nothing that was received decides it. */
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

    /** Whether the sign count was greater than any before, or is and was zero. */
    public boolean signCountGrew() {
        return proof.signCountGrew();
    }

    /** Whether the authenticator verified its user, by PIN or biometrics. */
    public boolean userVerified() {
        return proof.data().userVerified();
    }

    /** The BE flag: whether the passkey may be synchronized. */
    public boolean backupEligible() {
        return proof.data().backupEligible();
    }

    /** The BS flag: whether the passkey is synchronized. */
    public boolean backedUp() {
        return proof.data().backedUp();
    }

    /** Whether the passkey was device-bound, and now may be synchronized. */
    public boolean becameBackupEligible() {
        return proof.becameBackupEligible();
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
