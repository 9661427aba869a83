// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An attestation object (WebAuthn section 6.5.4): exactly {@code fmt}, {@code authData} and {@code attStmt}.
 *
 * @param format the attestation statement format, as received
 * @param authData the bytes of the authenticator data, for {@link AuthenticatorData#parse}
 * @param statement the attestation statement, not yet verified; empty for {@code compound}
 * @param parts the statements of format {@code compound} (section 8.9), two to four; else empty
 */
public record AttestationObject(String format, Bytes authData, CborMap statement, List<AttestationObject> parts) {
    private static final String PART = "attestationObject";
    private static final String COMPOUND = "compound";
    /** Each statement costs a signature check and a path of certificates, before a policy is asked. */
    private static final int MAX_PARTS = 4;

    AttestationObject(String format, Bytes authData, CborMap statement) {
        this(format, authData, statement, List.of());
    }

    public static AttestationObject parse(Bytes raw) throws MalformedException {
        CborMap map = CborReader.readMap(raw, PART);
        String format = CborMap.text(map.get("fmt"), PART + ".fmt");
        Bytes authData = CborMap.bytes(map.get("authData"), PART + ".authData");
        var object = format.equals(COMPOUND)
                ? compound(authData, map.get("attStmt"))
                : new AttestationObject(format, authData, statement(map));
        if (map.size() != 3) {
            throw new MalformedException(PART, "members other than fmt, authData and attStmt");
        }
        return object;
    }

    private static CborMap statement(CborMap map) throws MalformedException {
        return CborMap.require(CborMap.class, map.get("attStmt"), PART + ".attStmt", "not a map");
    }

    private static AttestationObject compound(Bytes authData, @Nullable CborValue statements)
            throws MalformedException {
        var array = CborMap.require(CborValue.Array.class, statements, PART + ".attStmt", "not an array");
        if (array.items().size() > MAX_PARTS) {
            throw new MalformedException(PART + ".attStmt", "more than " + MAX_PARTS + " statements");
        }
        List<AttestationObject> parts = new ArrayList<>();
        for (CborValue item : array.items()) {
            CborMap map = CborMap.require(CborMap.class, item, PART + ".attStmt", "not an array of statements");
            String format = CborMap.text(map.get("fmt"), PART + ".attStmt.fmt");
            if (map.size() != 2 || format.equals(COMPOUND)) {
                throw new MalformedException(PART + ".attStmt", "a statement that is not fmt and attStmt");
            }
            parts.add(new AttestationObject(format, authData, statement(map)));
        }
        if (parts.size() < 2) {
            throw new MalformedException(PART + ".attStmt", "fewer than two statements");
        }
        return new AttestationObject(COMPOUND, authData, new CborMap(List.of(), List.of()), List.copyOf(parts));
    }
}
