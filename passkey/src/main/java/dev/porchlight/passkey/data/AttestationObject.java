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

    /** Parses one map with the three members, and nothing after it. */
    public static AttestationObject parse(Bytes raw) throws MalformedException {
        CborMap map = CborReader.readMap(raw, PART);
        if (!(map.get("fmt") instanceof CborValue.Text format)) {
            throw new MalformedException(PART + ".fmt", "not a string");
        }
        if (!(map.get("authData") instanceof CborValue.ByteString authData)) {
            throw new MalformedException(PART + ".authData", "not a byte string");
        }
        if (!(map.get("attStmt") instanceof CborMap statement)) {
            throw new MalformedException(PART + ".attStmt", "not a map");
        }
        if (map.size() != 3) {
            throw new MalformedException(PART, "members other than fmt, authData and attStmt");
        }
        return new AttestationObject(format.value(), authData.value(), statement);
    }
}
