// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attestation;

import java.security.SecureRandom;
import java.util.List;
import java.util.function.Consumer;

/** An authority with what it gets wrong in the certificates it issues. */
public record Issuer(CertificateAuthority authority, Consumer<CertificateDraft> twist) {
    /** The kit's own, which gets nothing wrong. */
    public static Issuer kit() {
        return twisted(draft -> {});
    }

    public static Issuer twisted(Consumer<CertificateDraft> twist) {
        return new Issuer(CertificateAuthority.kit(), twist);
    }

    public static Issuer impostor() {
        return new Issuer(CertificateAuthority.impostor(), draft -> {});
    }

    List<byte[]> issue(CertificateDraft leaf, SecureRandom random) {
        twist.accept(leaf);
        return authority.issue(leaf, random);
    }

    List<byte[]> issueDirectly(CertificateDraft leaf, SecureRandom random) {
        twist.accept(leaf);
        return authority.issueDirectly(leaf, random);
    }
}
