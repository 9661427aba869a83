// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The attested credential data inside authenticator data (WebAuthn section 6.5.1).
 *
 * @param aaguid 16 bytes that identify the authenticator model, or zeros
 * @param credentialId 1 to 1023 bytes
 * @param publicKey the COSE key, not yet verified
 * @param publicKeyBytes the COSE key as received
 */
public record AttestedCredential(Bytes aaguid, Bytes credentialId, CborMap publicKey, Bytes publicKeyBytes) {
    /** The longest credential id that WebAuthn Level 3 allows. */
    public static final int MAX_ID_BYTES = 1023;

    private static final String PART = "authenticatorData.attestedCredentialData";
    private static final int AAGUID = 16;
    private static final int HEADER = AAGUID + 2;

    /** Parses exactly one credential, in the form that some libraries store. */
    public static AttestedCredential parse(Bytes raw) throws MalformedException {
        AttestedCredential credential = read(raw, 0);
        if (credential.encodedSize() != raw.size()) {
            throw new MalformedException(PART, "bytes after the end");
        }
        return credential;
    }

    static AttestedCredential read(Bytes raw, int from) throws MalformedException {
        int idFrom = from + HEADER;
        if (raw.size() < idFrom) {
            throw new MalformedException(PART, "ends before the credential id");
        }
        int idLength = raw.at(idFrom - 2) << 8 | raw.at(idFrom - 1);
        if (idLength < 1 || idLength > MAX_ID_BYTES) {
            throw new MalformedException(PART + ".credentialId", idLength + " bytes instead of 1 to " + MAX_ID_BYTES);
        }
        int keyFrom = idFrom + idLength;
        if (raw.size() < keyFrom) {
            throw new MalformedException(PART + ".credentialId", "shorter than announced");
        }
        var reader = new CborReader(raw, keyFrom, PART + ".credentialPublicKey");
        CborMap key = reader.nextMap();
        return new AttestedCredential(
                raw.slice(from, from + AAGUID), raw.slice(idFrom, keyFrom), key, raw.slice(keyFrom, reader.position()));
    }

    int encodedSize() {
        return HEADER + credentialId.size() + publicKeyBytes.size();
    }

    /** The AAGUID in the form of authenticator lists: {@code 8446ccb9-ab1d-b374-750b-2367ff6f3a1f}. */
    public String aaguidText() {
        return uuid(aaguid);
    }

    public static String uuid(Bytes aaguid) {
        ByteBuffer halves = ByteBuffer.wrap(aaguid.toByteArray());
        return new UUID(halves.getLong(), halves.getLong()).toString();
    }
}
