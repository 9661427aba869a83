// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.passkey;

import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.cose.EcKey;
import dev.porchlight.passkey.data.AuthenticationResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Objects;

/** The minimum work of any relying party: one signature check with a prepared key, and two digests. */
final class Floor {
    private final Provider provider;
    private final PublicKey key;
    private final byte[] clientData;
    private final byte[] authenticatorData;
    private final byte[] signature;
    private final byte[] rpId = Material.RP_ID.getBytes(StandardCharsets.UTF_8);

    Floor(Material material, Provider provider) {
        this.provider = provider;
        try {
            var response = AuthenticationResponse.parse(material.assertion);
            var record = Objects.requireNonNull(
                    material.credentials.find(response.rawId().base64Url()));
            key = ((EcKey) CredentialPublicKey.fromJwk(record.publicKey())).toPublicKey(provider);
            clientData = response.clientDataJson().toByteArray();
            authenticatorData = response.authenticatorData().toByteArray();
            signature = response.signature().toByteArray();
        } catch (MalformedException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    boolean verify() throws GeneralSecurityException {
        byte[] rpIdHash = MessageDigest.getInstance("SHA-256").digest(rpId);
        byte[] clientDataHash = MessageDigest.getInstance("SHA-256").digest(clientData);
        Signature check = Signature.getInstance("SHA256withECDSA", provider);
        check.initVerify(key);
        check.update(authenticatorData);
        check.update(clientDataHash);
        return check.verify(signature) && rpIdHash.length > 0;
    }
}
