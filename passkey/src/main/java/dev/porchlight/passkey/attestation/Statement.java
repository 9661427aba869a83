// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.data.AttestedCredential;
import dev.porchlight.passkey.data.CborMap;
import dev.porchlight.passkey.data.CborValue;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An attestation statement with the other inputs of a verification procedure of section 8.
 *
 * @param members {@code attStmt}
 * @param authData the authenticator data as received
 * @param credential the credential inside it
 * @param key the credential's public key
 * @param clientDataHash the hash of the client data as received
 */
record Statement(
        CborMap members, Bytes authData, AttestedCredential credential, CredentialPublicKey key, Bytes clientDataHash) {
    private static final String PART = "attStmt";
    private static final int RP_ID_HASH = 32;

    /** The bytes that most formats sign: the authenticator data and the hash of the client data. */
    Bytes attested() {
        return authData.concat(clientDataHash);
    }

    Bytes rpIdHash() {
        return authData.slice(0, RP_ID_HASH);
    }

    boolean has(String name) {
        return members.get(name) != null;
    }

    /**
     * Requires these members. Unknown members are a doubt and not a refusal: section 8 does not allow them, but some
     * authenticators follow earlier drafts.
     */
    Optional<AttestationReason> requireMembers(String... names) throws MalformedException {
        for (String name : names) {
            if (!has(name)) {
                throw malformed(name, "missing");
            }
        }
        return members.size() == names.length ? Optional.empty() : Optional.of(AttestationReason.MEMBERS_UNKNOWN);
    }

    long number(String name) throws MalformedException {
        return CborMap.require(CborValue.Int.class, members.get(name), PART + '.' + name, "not a number")
                .value();
    }

    String text(String name) throws MalformedException {
        return CborMap.text(members.get(name), PART + '.' + name);
    }

    Bytes bytes(String name) throws MalformedException {
        return CborMap.bytes(members.get(name), PART + '.' + name);
    }

    /** {@code x5c}: the attestation certificate and its chain. */
    List<X509Certificate> x5c() throws MalformedException, CertificateException {
        if (!(members.get("x5c") instanceof CborValue.Array array)
                || array.items().isEmpty()) {
            throw malformed("x5c", "not an array of certificates");
        }
        var encoded = new ArrayList<Bytes>();
        for (CborValue item : array.items()) {
            encoded.add(CborMap.bytes(item, PART + ".x5c"));
        }
        return Certificates.read(encoded);
    }

    private static MalformedException malformed(String name, String reason) {
        return new MalformedException(PART + '.' + name, reason);
    }
}
