// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.metadata;

import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.attestation.TrustAnchors;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who may sign metadata. Immutable.
 *
 * @param roots the roots that the signer's certificate must lead to
 * @param signer the host name that the certificate must have: FIDO's is issued by an authority that also issues certificates to
 *     others; empty if every certificate of these roots may sign
 */
public record MetadataTrust(Set<X509Certificate> roots, Optional<String> signer) {
    private static final String FIDO_SIGNER = "mds.fidoalliance.org";
    private static final int DNS_NAME = 2;
    private static final int DIGITAL_SIGNATURE = 0;

    public MetadataTrust {
        roots = Set.copyOf(roots);
    }

    /**
     * Trusts FIDO's metadata service: certificates for {@code mds.fidoalliance.org} under GlobalSign's roots R46, which it uses
     * since August 2026, and R3, which it used before.
     */
    public static MetadataTrust fido() {
        try (InputStream pem = MetadataTrust.class.getResourceAsStream("fido-roots.pem")) {
            var roots = new HashSet<X509Certificate>();
            for (var root : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                roots.add((X509Certificate) root);
            }
            return new MetadataTrust(roots, Optional.of(FIDO_SIGNER));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (CertificateException e) {
            throw new IllegalStateException("the roots of this library are readable", e);
        }
    }

    /** Trusts every signer with a certificate of these roots, such as the authority of an enterprise. */
    public static MetadataTrust of(Collection<X509Certificate> roots) {
        return new MetadataTrust(Set.copyOf(roots), Optional.empty());
    }

    /**
     * Requires a path from the signer's certificate to a root. A path that has expired is verified as of the last day of the
     * signer's certificate: see {@link MetadataBlob#signerExpiry}.
     */
    void require(List<X509Certificate> path, Instant at) throws MalformedException {
        if (path.isEmpty()) {
            throw new MalformedException("x5c", "no certificate");
        }
        X509Certificate leaf = path.get(0);
        Instant end = leaf.getNotAfter().toInstant();
        Instant valid = at.isAfter(end) ? end : at;
        if (!isReached(path, valid)) {
            throw new MalformedException("x5c", "no path to a configured root");
        }
        if (!isNamed(leaf)) {
            throw new MalformedException("x5c", "the certificate is not for " + signer.orElse(""));
        }
        boolean[] usage = leaf.getKeyUsage();
        if (usage != null && !usage[DIGITAL_SIGNATURE]) {
            throw new MalformedException("x5c", "the certificate is not for signatures");
        }
    }

    /** Also without the last certificates, which may lead to a root that is not configured. */
    private boolean isReached(List<X509Certificate> path, Instant at) {
        var anchors = new TrustAnchors(roots);
        for (int length = path.size(); length > 0; length--) {
            if (anchors.reachedBy(path.subList(0, length), at)) {
                return true;
            }
        }
        return false;
    }

    private boolean isNamed(X509Certificate leaf) {
        if (signer.isEmpty()) {
            return true;
        }
        try {
            var names = leaf.getSubjectAlternativeNames();
            return names != null
                    && names.stream()
                            .anyMatch(name ->
                                    name.get(0).equals(DNS_NAME) && signer.get().equals(name.get(1)));
        } catch (CertificateException e) {
            return false;
        }
    }
}
