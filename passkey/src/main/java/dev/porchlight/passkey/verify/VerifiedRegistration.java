// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.attestation.Attestation;
import dev.porchlight.passkey.cose.Es256Key;
import dev.porchlight.passkey.data.AuthenticatorData;

/**
 * A credential that passed every step of registration that needs no look at the database. Only {@link
 * RegistrationCeremony} makes it. Immutable.
 */
public final class VerifiedRegistration {
    private final Bytes credentialId;
    private final Es256Key publicKey;
    private final AuthenticatorData data;
    private final Attestation attestation;
    private final String origin;

    VerifiedRegistration(
            Bytes credentialId, Es256Key publicKey, AuthenticatorData data, Attestation attestation, String origin) {
        this.credentialId = credentialId;
        this.publicKey = publicKey;
        this.data = data;
        this.attestation = attestation;
        this.origin = origin;
    }

    /** The id, as the authenticator wrote it. */
    public Bytes credentialId() {
        return credentialId;
    }

    /** The key, a point on P-256. */
    public Es256Key publicKey() {
        return publicKey;
    }

    /** The authenticator data: the sign count that later ones are compared with, and the flags. */
    public AuthenticatorData data() {
        return data;
    }

    /** What vouches for the authenticator, and its model. */
    public Attestation attestation() {
        return attestation;
    }

    /** The origin of the page, which the credential is bound to. */
    public String origin() {
        return origin;
    }
}
