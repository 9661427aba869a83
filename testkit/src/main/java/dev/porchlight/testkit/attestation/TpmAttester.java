// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attestation;

import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.Der;
import dev.porchlight.testkit.wire.Octets;
import java.security.interfaces.RSAPublicKey;
import java.util.function.Consumer;

/**
 * Creates {@code tpm} statements: a TPM certifies the credential key with its attestation key (WebAuthn section 8.3).
 */
public final class TpmAttester implements Attester {
    public static final String EXTENDED_KEY_USAGE = "2.5.29.37";
    public static final String SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";

    private static final int SHA256 = 0x000b;
    private static final int NULL = 0x0010;

    /** The mutable content of the TPM structures. */
    public static final class Certification {
        public String version = "2.0";
        public int magic = 0xff544347;
        /** 0x8017 is a certification, the only allowed type. */
        public int type = 0x8017;

        /** The modulus of an RSA key; empty for a point on a curve. */
        public byte[] modulus = {};

        /** The TPM's number of a curve: 3 for P-256, 4 for P-384, 5 for P-521. */
        public int curve;

        public byte[] x = {};
        public byte[] y = {};
        public byte[] extraData;
        /** Replaces the name of the public area if not empty. */
        public byte[] name = {};

        Certification(CredentialKey key, byte[] extraData) {
            this.extraData = extraData;
            key(key);
        }

        /** Certifies another key. */
        public void key(CredentialKey other) {
            if (other.publicKey() instanceof RSAPublicKey) {
                modulus = other.modulus();
            } else {
                x = other.x();
                y = other.y();
                curve = x.length == 32 ? 3 : x.length == 48 ? 4 : 5;
            }
        }

        private byte[] publicArea() {
            return modulus.length == 0 ? eccArea() : rsaArea();
        }

        private byte[] rsaArea() {
            return Octets.join(
                    short16(0x0001), // RSA
                    short16(SHA256),
                    Octets.bigEndian(0x00040072, 4), // sign, sensitiveDataOrigin, fixedTPM, fixedParent
                    sized(),
                    short16(NULL),
                    short16(NULL),
                    short16(8 * modulus.length),
                    Octets.bigEndian(0, 4), // the default exponent, 65537
                    sized(modulus));
        }

        private byte[] eccArea() {
            return Octets.join(
                    short16(0x0023), // ECC
                    short16(SHA256),
                    Octets.bigEndian(0x00040072, 4), // sign, sensitiveDataOrigin, fixedTPM, fixedParent
                    sized(),
                    short16(NULL),
                    short16(NULL),
                    short16(curve),
                    short16(NULL),
                    sized(x),
                    sized(y));
        }

        private byte[] certInfo() {
            return Octets.join(
                    Octets.bigEndian(magic, 4),
                    short16(type),
                    sized(name("attestation key")),
                    sized(extraData),
                    new byte[17], // clock info
                    new byte[8], // firmware version
                    sized(name.length == 0 ? name(publicArea()) : name),
                    sized(name("credential key")));
        }
    }

    private final Issuer issuer;
    private final Consumer<Certification> change;

    public TpmAttester(Issuer issuer, Consumer<Certification> change) {
        this.issuer = issuer;
        this.change = change;
    }

    @Override
    public Statement attest(Subject subject) {
        Certification certification = new Certification(subject.key(), Octets.sha256(subject.signedOctets()));
        change.accept(certification);
        CredentialKey key = KeyAlgorithm.ES256.generate(subject.random);
        CertificateDraft leaf = new CertificateDraft(key.publicKey())
                .extension(EXTENDED_KEY_USAGE, false, Der.sequence(Der.oid("2.23.133.8.3")))
                .extension(SUBJECT_ALTERNATIVE_NAME, true, tpmName());
        return new Statement(
                "tpm",
                "ver",
                certification.version,
                "alg",
                key.algorithm().cose(),
                "x5c",
                issuer.issue(leaf, subject.random),
                "sig",
                key.sign(certification.certInfo()),
                "certInfo",
                certification.certInfo(),
                "pubArea",
                certification.publicArea());
    }

    /**
     * Encodes manufacturer, model and version. The manufacturer id is a real one, since relying parties look it up.
     */
    private static byte[] tpmName() {
        byte[] name = CertificateDraft.name(
                "2.23.133.2.1", "id:49465800", "2.23.133.2.2", "SOFT9670", "2.23.133.2.3", "id:000713");
        return Der.sequence(Der.tagged(4, name));
    }

    /** Returns the TPM name of a public area: a hash algorithm and the hash. */
    private static byte[] name(byte[] publicArea) {
        return Octets.join(short16(SHA256), Octets.sha256(publicArea));
    }

    private static byte[] name(String otherKey) {
        return name(Octets.utf8(otherKey));
    }

    private static byte[] short16(int value) {
        return Octets.bigEndian(value, 2);
    }

    private static byte[] sized(byte[]... content) {
        byte[] joined = Octets.join(content);
        return Octets.join(short16(joined.length), joined);
    }
}
