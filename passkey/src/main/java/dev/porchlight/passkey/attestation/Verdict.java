// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/** What a format says about a statement. Whether a sound one is trusted is not the format's question. */
sealed interface Verdict {

    /**
     * The statement is what its format demands.
     *
     * @param type the kind of evidence it is
     * @param path the attestation certificate and those that came with it; empty if there is none
     * @param doubt why it should not be trusted, even if the path leads to an anchor
     */
    record Sound(AttestationType type, List<X509Certificate> path, Optional<AttestationReason> doubt)
            implements Verdict {}

    /** The statement is not what its format demands. */
    record Unsound(AttestationReason reason) implements Verdict {}

    static Verdict unsound(AttestationReason reason) {
        return new Unsound(reason);
    }

    /** Sound, and trusted if there is no doubt and the path is. */
    static Verdict sound(AttestationType type, List<X509Certificate> path, Optional<AttestationReason> doubt) {
        return new Sound(type, path, doubt);
    }

    /** Sound, and never trusted. */
    static Verdict doubtful(AttestationType type, List<X509Certificate> path, AttestationReason doubt) {
        return new Sound(type, path, Optional.of(doubt));
    }
}
