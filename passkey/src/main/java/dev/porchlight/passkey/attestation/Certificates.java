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

/** X.509 certificates as strangers send them: bounded, read by the JDK, and looked into by us. */
final class Certificates {
    /** The longest chains in use, Android's, have five. */
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
                    // The factory also reads PEM, and stops at the certificate's end whatever follows.
                    && Arrays.equals(certificate.getEncoded(), der)) {
                return certificate;
            }
        } catch (CertificateException | RuntimeException e) {
            // The JDK's own words may quote the certificate, which is a stranger's text.
            throw new CertificateException("a certificate that the JDK cannot read", e);
        }
        throw new CertificateException("a certificate with something around it");
    }

    /** The value of an extension, without the octet string that every one of them is wrapped in. */
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

    /** The value of an extension that holds a format's evidence. */
    static byte[] requireExtension(X509Certificate certificate, String oid)
            throws UnsoundException, MalformedException {
        return extension(certificate, oid)
                .orElseThrow(() -> new UnsoundException(AttestationReason.CERTIFICATE_EVIDENCE_MISSING));
    }

    /** Whether the authenticator model that it was issued for is absent or, in an extension that is not critical, this one. */
    static boolean allowsModel(X509Certificate certificate, Bytes aaguid) throws MalformedException {
        var value = extension(certificate, AAGUID);
        if (value.isEmpty()) {
            return true;
        }
        // The model is an octet string inside the octet string that every extension is.
        Der outer = Der.over(value.get());
        Bytes named = Bytes.copyOf(outer.bytes(Der.OCTET_STRING));
        outer.finish();
        var critical = certificate.getCriticalExtensionOIDs();
        return named.equals(aaguid) && (critical == null || !critical.contains(AAGUID));
    }

    /** Whether its basic constraints are there and say that it is no authority's. */
    static boolean deniesAuthority(X509Certificate certificate) {
        return certificate.getExtensionValue(BASIC_CONSTRAINTS) != null && certificate.getBasicConstraints() == -1;
    }

    /**
     * Whether its key may sign other certificates: an authority says so. Roots of version 1 can say nothing and are known by
     * having issued themselves. The JDK does not ask this of an anchor.
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
