// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attestation;

import java.security.SecureRandom;
import java.util.List;
import java.util.function.Consumer;

/** An authority, and a change to the certificates it issues. */
public record Issuer(CertificateAuthority authority, Consumer<CertificateDraft> change) {
    /** The testkit's authority, without changes. */
    public static Issuer kit() {
        return changed(draft -> {});
    }

    public static Issuer changed(Consumer<CertificateDraft> change) {
        return new Issuer(CertificateAuthority.kit(), change);
    }

    public static Issuer impostor() {
        return new Issuer(CertificateAuthority.impostor(), draft -> {});
    }

    /** Issues a certificate and returns its chain, leaf first, without the root. */
    public List<byte[]> issue(CertificateDraft leaf, SecureRandom random) {
        change.accept(leaf);
        return authority.issue(leaf, random);
    }

    List<byte[]> issueDirectly(CertificateDraft leaf, SecureRandom random) {
        change.accept(leaf);
        return authority.issueDirectly(leaf, random);
    }
}
