// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.cose.EcCurve;
import dev.porchlight.passkey.cose.EcKey;
import dev.porchlight.passkey.cose.RsaKey;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;

/** The two structures of a TPM statement (TPM 2.0 Part 2): big-endian numbers, and buffers with a 16-bit length. */
final class TpmStructures {
    private TpmStructures() {}

    /**
     * {@code certInfo}: the signed structure, a {@code TPMS_ATTEST} (10.12.8).
     *
     * @param magic {@link #GENERATED} if the structure was created inside the TPM
     * @param type the kind of attested object; {@link #CERTIFY} is a key
     * @param extraData the data that the caller added to the signature
     * @param name the name of the attested key; empty unless the type is {@link #CERTIFY}
     */
    record CertInfo(long magic, int type, Bytes extraData, Bytes name) {
        /** {@code TPM_GENERATED_VALUE}. */
        static final long GENERATED = 0xFF544347L;
        /** {@code TPM_ST_ATTEST_CERTIFY}. */
        static final int CERTIFY = 0x8017;

        /** {@code TPMS_CLOCK_INFO}: clock, reset count, restart count, safe. */
        private static final int CLOCK_INFO = 8 + 4 + 4 + 1;

        private static final int FIRMWARE_VERSION = 8;

        static CertInfo read(Bytes certInfo) throws MalformedException {
            var reader = new Reader(certInfo, "attStmt.certInfo");
            long magic = reader.number(Integer.BYTES);
            int type = reader.u16();
            reader.sized(); // qualifiedSigner: the certificate identifies the signer
            Bytes extraData = reader.sized();
            reader.skip(CLOCK_INFO + FIRMWARE_VERSION);
            if (magic != GENERATED || type != CERTIFY) {
                // Another layout follows; the caller refuses the structure.
                return new CertInfo(magic, type, extraData, Bytes.EMPTY);
            }
            Bytes name = reader.sized();
            reader.sized(); // qualifiedName: depends on the hierarchy inside the TPM
            reader.finish();
            return new CertInfo(magic, type, extraData, name);
        }
    }

    /**
     * {@code pubArea}: the key as the TPM describes it, a {@code TPMT_PUBLIC} (12.2.4). Keys that a credential cannot have are
     * not parsed.
     *
     * @param nameAlgorithm the hash algorithm of the key's name
     * @param point the key, if it is on a curve of a credential
     * @param modulus the key, if it is an RSA key with the exponent 65537
     */
    record PublicArea(int nameAlgorithm, Optional<Point> point, Optional<BigInteger> modulus) {
        private static final int ALG_RSA = 0x0001;
        /** Stands for 65537. */
        private static final int DEFAULT_EXPONENT = 0;

        private static final int ALG_ECC = 0x0023;
        private static final int ALG_SHA1 = 0x0004;
        private static final int ALG_NULL = 0x0010;
        /** {@code TPM_ECC_CURVE}. */
        private static final Map<Integer, EcCurve> CURVES = Map.of(3, EcCurve.P256, 4, EcCurve.P384, 5, EcCurve.P521);

        static PublicArea read(Bytes pubArea) throws MalformedException {
            var reader = new Reader(pubArea, "attStmt.pubArea");
            int type = reader.u16();
            int nameAlgorithm = reader.u16();
            if (type != ALG_ECC && type != ALG_RSA) {
                return new PublicArea(nameAlgorithm, Optional.empty(), Optional.empty());
            }
            reader.skip(Integer.BYTES); // objectAttributes
            reader.sized(); // authPolicy
            skipUnlessNull(reader, 2 * Short.BYTES); // symmetric: key bits and mode, as only storage keys have them
            skipUnlessNull(reader, Short.BYTES); // scheme: its hash
            if (type == ALG_RSA) {
                reader.u16(); // keyBits
                long exponent = reader.number(Integer.BYTES);
                BigInteger modulus = number(reader.sized());
                reader.finish();
                boolean usual = exponent == DEFAULT_EXPONENT || exponent == RsaKey.EXPONENT.intValue();
                return new PublicArea(nameAlgorithm, Optional.empty(), usual ? Optional.of(modulus) : Optional.empty());
            }
            Optional<EcCurve> curve = Optional.ofNullable(CURVES.get(reader.u16()));
            skipUnlessNull(reader, Short.BYTES); // kdf: its hash
            Bytes x = reader.sized();
            Bytes y = reader.sized();
            reader.finish();
            return new PublicArea(nameAlgorithm, curve.map(on -> new Point(on, x, y)), Optional.empty());
        }

        private static void skipUnlessNull(Reader reader, int details) throws MalformedException {
            if (reader.u16() != ALG_NULL) {
                reader.skip(details);
            }
        }

        /** The JDK's name of the hash algorithm of the key's name, if it is known. */
        Optional<String> nameDigest() {
            return switch (nameAlgorithm) {
                case ALG_SHA1 -> Optional.of("SHA-1");
                case 0x000B -> Optional.of("SHA-256");
                case 0x000C -> Optional.of("SHA-384");
                case 0x000D -> Optional.of("SHA-512");
                default -> Optional.empty();
            };
        }

        /** Returns whether the hash of the name is no longer collision-resistant. */
        boolean hasOutdatedName() {
            return nameAlgorithm == ALG_SHA1;
        }

        boolean describes(CredentialPublicKey key) {
            if (key instanceof RsaKey rsa) {
                return modulus.filter(rsa.modulus()::equals).isPresent();
            }
            return key instanceof EcKey ec
                    && point.filter(p -> p.curve == ec.curve()
                                    && number(p.x).equals(number(ec.x()))
                                    && number(p.y).equals(number(ec.y())))
                            .isPresent();
        }

        private static BigInteger number(Bytes coordinate) {
            return new BigInteger(1, coordinate.toByteArray());
        }
    }

    /** Two coordinates, compared as numbers because a TPM may leave out leading zeros. */
    record Point(EcCurve curve, Bytes x, Bytes y) {}

    /** A cursor over the TPM's encoding. */
    private static final class Reader {
        private final Bytes bytes;
        private final String part;
        private int position;

        Reader(Bytes bytes, String part) {
            this.bytes = bytes;
            this.part = part;
        }

        int u16() throws MalformedException {
            return (int) number(Short.BYTES);
        }

        long number(int length) throws MalformedException {
            skip(length);
            long value = 0;
            for (int i = position - length; i < position; i++) {
                value = value << 8 | bytes.at(i);
            }
            return value;
        }

        /** Reads a {@code TPM2B_…}: its length, then its bytes. */
        Bytes sized() throws MalformedException {
            int length = u16();
            skip(length);
            return bytes.slice(position - length, position);
        }

        void skip(int length) throws MalformedException {
            if (length > bytes.size() - position) {
                throw new MalformedException(part, "truncated");
            }
            position += length;
        }

        void finish() throws MalformedException {
            if (position != bytes.size()) {
                throw new MalformedException(part, "bytes after the end");
            }
        }
    }
}
