// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads and inspects received X.509 certificates, with bounds on their number and size. */
final class Certificates {
    /** The longest chains in use, from Android, have five. */
    static final int MAX_CERTIFICATES = 8;

    static final int MAX_BYTES = 8192;

    private static final int KEY_CERT_SIGN = 5;
    /** {@code id-fido-gen-ce-aaguid}. */
    static final String AAGUID = "1.3.6.1.4.1.45724.1.1.4";

    private static final String BASIC_CONSTRAINTS = "2.5.29.19";

    private Certificates() {}

    static List<X509Certificate> read(List<Bytes> encoded) throws CertificateException {
        if (encoded.size() > MAX_CERTIFICATES) {
            throw new CertificateException("more than " + MAX_CERTIFICATES + " certificates");
        }
        var certificates = new ArrayList<X509Certificate>();
        for (Bytes certificate : encoded) {
            certificates.add(read(certificate));
        }
        return List.copyOf(certificates);
    }

    private static X509Certificate read(Bytes encoded) throws CertificateException {
        if (encoded.size() > MAX_BYTES) {
            throw new CertificateException("a certificate of more than " + MAX_BYTES + " bytes");
        }
        byte[] der = encoded.toByteArray();
        try {
            var factory = CertificateFactory.getInstance("X.509");
            if (factory.generateCertificate(new ByteArrayInputStream(der)) instanceof X509Certificate certificate
                    // The factory also accepts PEM, and ignores trailing bytes and unused bits of the signature.
                    && Arrays.equals(certificate.getEncoded(), der)
                    && signatureIsWhole(der)) {
                return certificate;
            }
        } catch (CertificateException | MalformedException | RuntimeException e) {
            // The JDK's message may quote untrusted text of the certificate.
            throw new CertificateException("a certificate that cannot be read", e);
        }
        throw new CertificateException("a certificate with extra bytes or unused bits");
    }

    private static boolean signatureIsWhole(byte[] der) throws MalformedException {
        Der certificate = Der.sequence(der);
        certificate.skip();
        certificate.skip();
        byte[] signature = certificate.bytes(Der.BIT_STRING);
        certificate.finish();
        return signature.length > 0 && signature[0] == 0;
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
