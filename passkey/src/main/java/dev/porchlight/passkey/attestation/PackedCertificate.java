// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_AAGUID;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_AUTHORITY;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_SUBJECT;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_VERSION;

import dev.porchlight.passkey.data.Bytes;
import dev.porchlight.passkey.data.MalformedException;
import java.security.cert.X509Certificate;
import java.util.Optional;

/** Section 8.2.1: what a certificate must be like that a packed statement is signed with. */
final class PackedCertificate {
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String COUNTRY = "2.5.4.6";
    private static final String ORGANIZATION = "2.5.4.10";
    private static final String ORGANIZATIONAL_UNIT = "2.5.4.11";

    private PackedCertificate() {}

    static Optional<AttestationReason> fault(X509Certificate certificate, Bytes aaguid) throws MalformedException {
        if (certificate.getVersion() != 3) {
            return Optional.of(CERTIFICATE_VERSION);
        }
        if (!isAuthenticator(
                DirectoryName.read(certificate.getSubjectX500Principal().getEncoded()))) {
            return Optional.of(CERTIFICATE_SUBJECT);
        }
        if (!Certificates.deniesAuthority(certificate)) {
            return Optional.of(CERTIFICATE_AUTHORITY);
        }
        if (!AaguidExtension.allows(certificate, aaguid)) {
            return Optional.of(CERTIFICATE_AAGUID);
        }
        return Optional.empty();
    }

    private static boolean isAuthenticator(DirectoryName subject) {
        return subject.only(COUNTRY).filter(c -> c.matches("[A-Z]{2}")).isPresent()
                && subject.only(ORGANIZATION).isPresent()
                && subject.only(ORGANIZATIONAL_UNIT)
                        .filter("Authenticator Attestation"::equals)
                        .isPresent()
                && subject.only(COMMON_NAME).isPresent();
    }
}
