// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The certificates the caller trusts to vouch for authenticators: roots, intermediate authorities, or attestation
 * certificates themselves. Immutable and thread-safe.
 *
 * <p>Nothing else is ever an anchor. In particular a root that a statement brings along counts for nothing unless it is
 * one of these. An anchor that is an end entity's certificate vouches for itself, and never for others that its key has
 * signed. Revocation is not checked, since that needs the network; leave out of the set what should no longer be
 * trusted. An anchor is a name and a key: its own expiry is the caller's to judge, except where it is the attestation
 * certificate itself.
 */
public final class TrustAnchors {
    private final Set<X509Certificate> certificates;

    private TrustAnchors(Set<X509Certificate> certificates) {
        this.certificates = certificates;
    }

    /** These certificates, and no others. */
    public static TrustAnchors of(Collection<X509Certificate> certificates) {
        return new TrustAnchors(Set.copyOf(certificates));
    }

    /**
     * Whether a path of certificates leads to an anchor.
     *
     * @param path the attestation certificate first, each certified by the next
     */
    boolean reachedBy(List<X509Certificate> path, Instant at) {
        if (certificates.isEmpty()) {
            return false;
        }
        // What follows one of our own anchors says nothing more, and must not be validated against itself.
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
            return false; // a path that cannot be validated, for whatever reason, leads nowhere
        }
    }

    private PKIXParameters parameters(Instant at) throws GeneralSecurityException {
        var parameters = new PKIXParameters(certificates.stream()
                .filter(Certificates::mayIssue)
                .map(certificate -> new TrustAnchor(certificate, null))
                .collect(Collectors.toSet()));
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(at));
        // Policies are not evaluated, and makers of TPMs put qualifiers into critical ones.
        parameters.setPolicyQualifiersRejected(false);
        return parameters;
    }

    static boolean isValid(X509Certificate certificate, Instant at) {
        return !at.isBefore(certificate.getNotBefore().toInstant())
                && !at.isAfter(certificate.getNotAfter().toInstant());
    }
}
