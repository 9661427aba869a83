// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attestation;

import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.wire.Octets;
import java.security.SecureRandom;

/** The subject of an attestation statement: a new credential in a registration. */
public final class Subject {
    private final CredentialKey key;
    final byte[] credentialId;
    final byte[] aaguid;
    private final byte[] authenticatorData;
    final byte[] clientDataHash;
    final SecureRandom random;

    public Subject(
            CredentialKey key,
            byte[] credentialId,
            byte[] aaguid,
            byte[] authenticatorData,
            byte[] clientDataHash,
            SecureRandom random) {
        this.key = key;
        this.credentialId = credentialId;
        this.aaguid = aaguid;
        this.authenticatorData = authenticatorData;
        this.clientDataHash = clientDataHash;
        this.random = random;
    }

    public CredentialKey key() {
        return key;
    }

    byte[] rpIdHash() {
        return Octets.head(authenticatorData, 32);
    }

    /** Authenticator data followed by the hash of the client data: the bytes that most formats sign. */
    public byte[] signedOctets() {
        return Octets.join(authenticatorData, clientDataHash);
    }
}
