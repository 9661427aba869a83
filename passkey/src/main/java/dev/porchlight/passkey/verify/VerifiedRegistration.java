// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.attestation.Attestation;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.data.AuthenticatorData;

/**
 * A credential that passed every step of registration except those that the database decides. Only {@link
 * RegistrationCeremony} creates it. Immutable.
 */
public final class VerifiedRegistration {
    private final Bytes credentialId;
    private final CredentialPublicKey publicKey;
    private final AuthenticatorData data;
    private final Attestation attestation;
    private final String origin;

    VerifiedRegistration(
            Bytes credentialId,
            CredentialPublicKey publicKey,
            AuthenticatorData data,
            Attestation attestation,
            String origin) {
        this.credentialId = credentialId;
        this.publicKey = publicKey;
        this.data = data;
        this.attestation = attestation;
        this.origin = origin;
    }

    public Bytes credentialId() {
        return credentialId;
    }

    public CredentialPublicKey publicKey() {
        return publicKey;
    }

    /** The authenticator data, with the initial sign count and the flags. */
    public AuthenticatorData data() {
        return data;
    }

    public Attestation attestation() {
        return attestation;
    }

    public String origin() {
        return origin;
    }
}
