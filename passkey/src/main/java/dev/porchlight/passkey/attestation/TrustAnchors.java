// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The certificates trusted for attestation: roots, intermediate CAs, or attestation certificates themselves. Immutable.
 *
 * <p>A root that a statement contains is not trusted unless it is in this set. An end-entity anchor is trusted as the
 * attestation certificate itself, never as the issuer of others. Revocation is not checked, since that needs the network:
 * leave out certificates that should no longer be trusted. The expiry of an anchor is not checked, unless it is the
 * attestation certificate itself.
 */
public record TrustAnchors(Set<X509Certificate> certificates) {
    /** Nothing is trusted. */
    public static final TrustAnchors NONE = new TrustAnchors(Set.of());

    public TrustAnchors {
        certificates = Set.copyOf(certificates);
    }

    /**
     * Returns whether a certificate path leads to an anchor.
     *
     * @param path the attestation certificate first, each certified by the next
     */
    public boolean reachedBy(List<X509Certificate> path, Instant at) {
        if (certificates.isEmpty()) {
            return false;
        }
        // Certificates after an anchor are irrelevant, and an anchor must not be validated against itself.
        var below = path.stream()
                .takeWhile(certificate -> !certificates.contains(certificate))
                .toList();
        if (below.isEmpty()) {
            return isValid(path.get(0), at);
        }
        try {
            CertPathValidator.getInstance("PKIX")
                    .validate(CertificateFactory.getInstance("X.509").generateCertPath(below), parameters(at));
            return true;
        } catch (GeneralSecurityException | RuntimeException e) {
            return false; // a path that cannot be validated is not trusted
        }
    }

    private PKIXParameters parameters(Instant at) throws GeneralSecurityException {
        var parameters = new PKIXParameters(certificates.stream()
                .filter(Certificates::mayIssue)
                .map(certificate -> new TrustAnchor(certificate, null))
                .collect(Collectors.toSet()));
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(at));
        // Policies are not evaluated, and TPM vendors put qualifiers into critical ones.
        parameters.setPolicyQualifiersRejected(false);
        return parameters;
    }

    static boolean isValid(X509Certificate certificate, Instant at) {
        return !at.isBefore(certificate.getNotBefore().toInstant())
                && !at.isAfter(certificate.getNotAfter().toInstant());
    }
}
