// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_AAGUID;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_ALTERNATIVE_NAME;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_AUTHORITY;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_KEY_USAGE;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_SUBJECT;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_VERSION;

import dev.porchlight.passkey.data.Bytes;
import dev.porchlight.passkey.data.MalformedException;
import java.security.cert.X509Certificate;
import java.util.Optional;

/** Section 8.3.1: what the certificate of a TPM's attestation identity key must be like. */
final class AikCertificate {
    private static final String SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
    private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
    private static final String AIK_CERTIFICATE_USAGE = "2.23.133.8.3";
    private static final String MANUFACTURER = "2.23.133.2.1";
    private static final String MODEL = "2.23.133.2.2";
    private static final String VERSION = "2.23.133.2.3";

    /** A {@code GeneralName} that is a {@code directoryName}. */
    private static final int DIRECTORY_NAME = Der.explicit(4);

    private AikCertificate() {}

    static Optional<AttestationReason> fault(X509Certificate certificate, Bytes aaguid) throws MalformedException {
        if (certificate.getVersion() != 3) {
            return Optional.of(CERTIFICATE_VERSION);
        }
        if (!DirectoryName.read(certificate.getSubjectX500Principal().getEncoded())
                .isEmpty()) {
            return Optional.of(CERTIFICATE_SUBJECT);
        }
        if (!namesTpm(certificate)) {
            return Optional.of(CERTIFICATE_ALTERNATIVE_NAME);
        }
        if (!isForAttestation(certificate)) {
            return Optional.of(CERTIFICATE_KEY_USAGE);
        }
        if (!Certificates.deniesAuthority(certificate)) {
            return Optional.of(CERTIFICATE_AUTHORITY);
        }
        if (!AaguidExtension.allows(certificate, aaguid)) {
            return Optional.of(CERTIFICATE_AAGUID);
        }
        return Optional.empty();
    }

    /**
     * Whether a directory name among the alternative names has manufacturer, model and version (EK Credential Profile
     * 3.2.9).
     */
    private static boolean namesTpm(X509Certificate certificate) throws MalformedException {
        var extension = Certificates.extension(certificate, SUBJECT_ALTERNATIVE_NAME);
        if (extension.isEmpty()) {
            return false;
        }
        Der outer = Der.over(extension.get());
        Der names = outer.enter(Der.SEQUENCE);
        outer.finish();
        while (names.hasNext()) {
            if (names.peek() != DIRECTORY_NAME) {
                names.skip();
                continue;
            }
            Der name = names.enter(DIRECTORY_NAME);
            DirectoryName directory = DirectoryName.read(name);
            name.finish();
            if (isTpm(directory)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isForAttestation(X509Certificate certificate) throws MalformedException {
        var extension = Certificates.extension(certificate, EXTENDED_KEY_USAGE);
        if (extension.isEmpty()) {
            return false;
        }
        Der outer = Der.over(extension.get());
        Der usages = outer.enter(Der.SEQUENCE);
        outer.finish();
        boolean found = false;
        while (usages.hasNext()) {
            found |= usages.oid().equals(AIK_CERTIFICATE_USAGE);
        }
        return found;
    }

    private static boolean isTpm(DirectoryName name) {
        // The manufacturer is the TCG's vendor id in hex; the other two are the vendor's own words.
        return name.only(MANUFACTURER)
                        .filter(id -> id.matches("id:[0-9A-Fa-f]{8}"))
                        .isPresent()
                && name.only(MODEL).isPresent()
                && name.only(VERSION).isPresent();
    }
}
