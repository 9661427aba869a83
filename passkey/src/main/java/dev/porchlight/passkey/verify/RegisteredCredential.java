// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import org.jspecify.annotations.Nullable;

/** The parts of a stored credential that an authentication needs. */
public interface RegisteredCredential {
    String credentialId();

    String userId();

    String publicKey();

    long signCount();

    String origin();

    /** The owner's user handle in base64url, if it is known. */
    @Nullable
    String userHandle();

    /** The BE flag, if it is known. */
    @Nullable
    Boolean backupEligible();

    /** The user verification requirement at registration, if it is known. */
    @Nullable
    Boolean verificationRequired();

    /** The model of the authenticator as a UUID, if it is known. */
    @Nullable
    String aaguid();

    /** Returns whether it was attested as a credential of U2F, which may be scoped to an app id. */
    boolean isU2f();

    /** The seal over the other values, if there is one. */
    @Nullable
    String seal();
}
