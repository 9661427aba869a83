// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;

/**
 * An attestation object (WebAuthn section 6.5.4): exactly {@code fmt}, {@code authData} and {@code attStmt}.
 *
 * @param format the attestation statement format, as received
 * @param authData the bytes of the authenticator data, for {@link AuthenticatorData#parse}
 * @param statement the attestation statement, not yet verified
 */
public record AttestationObject(String format, Bytes authData, CborMap statement) {
    private static final String PART = "attestationObject";

    public static AttestationObject parse(Bytes raw) throws MalformedException {
        CborMap map = CborReader.readMap(raw, PART);
        String format = CborMap.text(map.get("fmt"), PART + ".fmt");
        Bytes authData = CborMap.bytes(map.get("authData"), PART + ".authData");
        CborMap statement = CborMap.require(CborMap.class, map.get("attStmt"), PART + ".attStmt", "not a map");
        if (map.size() != 3) {
            throw new MalformedException(PART, "members other than fmt, authData and attStmt");
        }
        return new AttestationObject(format, authData, statement);
    }
}
