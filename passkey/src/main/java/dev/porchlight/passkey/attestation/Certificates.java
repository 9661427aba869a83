// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import java.io.ByteArrayInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads and inspects received X.509 certificates, with bounds on their number and size. */
public final class Certificates {
    /** The longest chains in use, from Android, have five. */
    static final int MAX_CERTIFICATES = 8;

    static final int MAX_BYTES = 8192;

    private static final int KEY_CERT_SIGN = 5;
    /** {@code id-fido-gen-ce-aaguid}. */
    static final String AAGUID = "1.3.6.1.4.1.45724.1.1.4";

    private static final String BASIC_CONSTRAINTS = "2.5.29.19";

    /**
     * The SHA-256 hashes of the certificates of six batches of YubiKeys. Their signatures declare unused bits by mistake, and
     * are valid without that declaration.
     */
    static final Set<Bytes> REPAIRABLE = Set.of(
            Bytes.ofHex("349bca1031f8c82c4ceca38b9cebf1a69df9fb3b94eed99eb3fb9aa3822d26e8"),
            Bytes.ofHex("dd574527df608e47ae45fbba75a2afdd5c20fd94a02419381813cd55a2a3398f"),
            Bytes.ofHex("1d8764f0f7cd1352df6150045c8f638e517270e8b5dda1c63ade9c2280240cae"),
            Bytes.ofHex("d0edc9a91a1677435a953390865d208c55b3183c6759c9b5a7ff494c322558eb"),
            Bytes.ofHex("6073c436dcd064a48127ddbf6032ac1a66fd59a0c24434f070d4e564c124c897"),
            Bytes.ofHex("ca993121846c464d666096d35f13bf44c1b05af205f9b4a1e00cf6cc10c5e511"));

    private Certificates() {}

    /** Reads at most {@link #MAX_CERTIFICATES} certificates in DER. */
    public static List<X509Certificate> read(List<Bytes> encoded) throws CertificateException {
        if (encoded.size() > MAX_CERTIFICATES) {
            throw new CertificateException("more than " + MAX_CERTIFICATES + " certificates");
        }
        var certificates = new ArrayList<X509Certificate>();
        for (Bytes certificate : encoded) {
            certificates.add(read(certificate, REPAIRABLE));
        }
        return List.copyOf(certificates);
    }

    /** Reads a certificate, without the unused bits of its signature if its hash is one of these. */
    static X509Certificate read(Bytes encoded, Set<Bytes> repairable) throws CertificateException {
        if (encoded.size() > MAX_BYTES) {
            throw new CertificateException("a certificate of more than " + MAX_BYTES + " bytes");
        }
        byte[] der = encoded.toByteArray();
        try {
            int unusedBits = unusedBitsAt(der);
            if (der[unusedBits] != 0 && repairable.contains(encoded.sha256())) {
                der[unusedBits] = 0;
            }
            var factory = CertificateFactory.getInstance("X.509");
            if (factory.generateCertificate(new ByteArrayInputStream(der)) instanceof X509Certificate certificate
                    // The factory also accepts PEM, and ignores trailing bytes.
                    && Arrays.equals(certificate.getEncoded(), der)) {
                return certificate;
            }
        } catch (CertificateException | MalformedException | RuntimeException e) {
            // The JDK's message may quote untrusted text of the certificate.
            throw new CertificateException("a certificate that cannot be read", e);
        }
        throw new CertificateException("a certificate with extra bytes");
    }

    /**
     * Returns whether every bit of every signature is used. The JDK ignores unused bits, so a certificate could be changed
     * without invalidating its signature.
     */
    static boolean areWhole(List<X509Certificate> certificates) throws CertificateException, MalformedException {
        for (X509Certificate certificate : certificates) {
            byte[] der = certificate.getEncoded();
            if (der[unusedBitsAt(der)] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the index of the octet with the number of unused bits: the first of the signature, which ends a certificate. */
    private static int unusedBitsAt(byte[] der) throws MalformedException {
        Der certificate = Der.sequence(der);
        certificate.skip();
        certificate.skip();
        byte[] signature = certificate.bytes(Der.BIT_STRING);
        certificate.finish();
        if (signature.length == 0) {
            throw new MalformedException("der", "a bit string without its number of unused bits");
        }
        return der.length - signature.length;
    }

    /** Returns the SHA-1 hash of the public key in hexadecimal: the first key identifier of RFC 5280. */
    public static String keyIdentifier(X509Certificate certificate) throws MalformedException {
        Der key = Der.sequence(certificate.getPublicKey().getEncoded());
        key.skip();
        byte[] bits = key.bytes(Der.BIT_STRING);
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            sha1.update(bits, 1, bits.length - 1); // without the number of unused bits
            return HexFormat.of().formatHex(sha1.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }

    /** Returns the value of an extension, without its enclosing octet string. */
    static Optional<byte[]> extension(X509Certificate certificate, String oid) throws MalformedException {
        byte[] wrapped = certificate.getExtensionValue(oid);
        if (wrapped == null) {
            return Optional.empty();
        }
        Der outer = Der.over(wrapped);
        byte[] value = outer.bytes(Der.OCTET_STRING);
        outer.finish();
        return Optional.of(value);
    }

    static byte[] requireExtension(X509Certificate certificate, String oid)
            throws InvalidStatementException, MalformedException {
        return extension(certificate, oid)
                .orElseThrow(() -> new InvalidStatementException(AttestationReason.CERTIFICATE_EVIDENCE_MISSING));
    }

    /** Returns whether the AAGUID extension is absent, or is not critical and has this AAGUID. */
    static boolean allowsModel(X509Certificate certificate, Bytes aaguid) throws MalformedException {
        var value = extension(certificate, AAGUID);
        if (value.isEmpty()) {
            return true;
        }
        // The AAGUID is an octet string inside the octet string of the extension.
        Der outer = Der.over(value.get());
        Bytes named = Bytes.copyOf(outer.bytes(Der.OCTET_STRING));
        outer.finish();
        var critical = certificate.getCriticalExtensionOIDs();
        return named.equals(aaguid) && (critical == null || !critical.contains(AAGUID));
    }

    /** Returns whether its basic constraints are present and say that it is not a CA certificate. */
    static boolean deniesAuthority(X509Certificate certificate) {
        return certificate.getExtensionValue(BASIC_CONSTRAINTS) != null && certificate.getBasicConstraints() == -1;
    }

    /**
     * Returns whether its key may sign other certificates. Version 1 roots have no constraints and are recognized as
     * self-issued. The JDK does not check this for trust anchors.
     */
    static boolean mayIssue(X509Certificate certificate) {
        boolean[] usage = certificate.getKeyUsage();
        if (usage != null && !usage[KEY_CERT_SIGN]) {
            return false;
        }
        return certificate.getVersion() == 1
                ? certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())
                : certificate.getBasicConstraints() >= 0;
    }
}
