// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.passkey.cose.Es256Key;
import dev.porchlight.passkey.data.Bytes;
import dev.porchlight.passkey.data.MalformedException;
import java.math.BigInteger;
import java.util.Optional;

/**
 * {@code pubArea}: the key as the TPM describes it, a {@code TPMT_PUBLIC} (TPM 2.0 Part 2, 12.2.4). The credential's
 * key is always on P-256, so another kind of key is read no further than its type.
 *
 * @param nameAlgorithm the hash that the key's name is made with
 * @param point the key, if it is on P-256
 */
record TpmPublic(int nameAlgorithm, Optional<Point> point) {
    private static final int ALG_ECC = 0x0023;
    private static final int ALG_SHA1 = 0x0004;
    private static final int ALG_NULL = 0x0010;
    private static final int ECC_NIST_P256 = 0x0003;

    static TpmPublic read(Bytes pubArea) throws MalformedException {
        var reader = new TpmReader(pubArea, "attStmt.pubArea");
        int type = reader.u16();
        int nameAlgorithm = reader.u16();
        if (type != ALG_ECC) {
            return new TpmPublic(nameAlgorithm, Optional.empty());
        }
        reader.u32(); // objectAttributes
        reader.sized(); // authPolicy
        skipUnlessNull(reader, 2 * Short.BYTES); // symmetric: key bits and mode, as only storage keys have them
        skipUnlessNull(reader, Short.BYTES); // scheme: its hash
        int curve = reader.u16();
        skipUnlessNull(reader, Short.BYTES); // kdf: its hash
        var point = new Point(reader.sized(), reader.sized());
        reader.finish();
        return new TpmPublic(nameAlgorithm, Optional.of(point).filter(p -> curve == ECC_NIST_P256));
    }

    private static void skipUnlessNull(TpmReader reader, int details) throws MalformedException {
        if (reader.u16() != ALG_NULL) {
            reader.skip(details);
        }
    }

    /** The JDK's name of the hash that the key's name is made with, if it is one we know. */
    Optional<String> nameDigest() {
        return switch (nameAlgorithm) {
            case ALG_SHA1 -> Optional.of("SHA-1");
            case 0x000B -> Optional.of("SHA-256");
            case 0x000C -> Optional.of("SHA-384");
            case 0x000D -> Optional.of("SHA-512");
            default -> Optional.empty();
        };
    }

    /** Whether two keys can be made that share a name. */
    boolean hasOutdatedName() {
        return nameAlgorithm == ALG_SHA1;
    }

    boolean describes(Es256Key key) {
        return point.filter(p -> p.isThatOf(key)).isPresent();
    }

    /** Two coordinates, compared as numbers because a TPM may leave leading zeros out. */
    record Point(Bytes x, Bytes y) {
        boolean isThatOf(Es256Key key) {
            return number(x).equals(number(key.x())) && number(y).equals(number(key.y()));
        }

        private static BigInteger number(Bytes coordinate) {
            return new BigInteger(1, coordinate.toByteArray());
        }
    }
}
