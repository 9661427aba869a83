// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.passkey.data.AuthenticatorData;
import java.time.Instant;

/**
 * Proof that a user signed in with a passkey: every step of authentication has passed. Only {@link AssertionCeremony}
 * makes it, so whatever grants a session or a token should ask for one. Immutable.
 */
public final class VerifiedAssertion {
    private final RegisteredCredential credential;
    private final AuthenticatorData data;
    private final String origin;
    private final Instant at;
    private final boolean signCountGrew;

    VerifiedAssertion(
            RegisteredCredential credential, AuthenticatorData data, String origin, Instant at, boolean signCountGrew) {
        this.credential = credential;
        this.data = data;
        this.origin = origin;
        this.at = at;
        this.signCountGrew = signCountGrew;
    }

    /** Who signed in: the owner of the credential, from its record and from nothing that was received. */
    public String userId() {
        return credential.userId();
    }

    /** The passkey, as its record was before this use. */
    public RegisteredCredential credential() {
        return credential;
    }

    /** The count the authenticator presented. */
    public long signCount() {
        return data.signCount();
    }

    /** Whether the count was greater than any before, or is zero as it always was. */
    public boolean signCountGrew() {
        return signCountGrew;
    }

    /** Whether the authenticator verified its user, by PIN or biometrics. */
    public boolean userVerified() {
        return data.userVerified();
    }

    /** The BE flag: whether the passkey may be synchronised. */
    public boolean backupEligible() {
        return data.backupEligible();
    }

    /** The BS flag: whether it is. */
    public boolean backedUp() {
        return data.backedUp();
    }

    /** Whether the passkey was known to be bound to its authenticator, and now may be synchronised. */
    public boolean becameBackupEligible() {
        return data.backupEligible() && Boolean.FALSE.equals(credential.backupEligible());
    }

    /** The page that he signed in on. */
    public String origin() {
        return origin;
    }

    /** When. */
    public Instant at() {
        return at;
    }
}
