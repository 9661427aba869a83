// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.response;

import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.wire.Octets;
import org.jspecify.annotations.Nullable;

/** The mutable inputs of an assertion's signature. */
public final class Signing {
    public final byte[] authenticatorData;
    public final byte[] clientData;
    public CredentialKey key;
    public byte[] message;
    /** A JCA signature algorithm, or null for the key's own. */
    public @Nullable String algorithm;

    public Signing(CredentialKey key, byte[] authenticatorData, byte[] clientData) {
        this.key = key;
        this.authenticatorData = authenticatorData;
        this.clientData = clientData;
        this.message = Octets.join(authenticatorData, Octets.sha256(clientData));
    }

    public byte[] signature() {
        return algorithm == null ? key.sign(message) : key.sign(message, algorithm);
    }
}
