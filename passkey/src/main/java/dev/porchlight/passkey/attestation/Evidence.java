// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * A valid statement. Trust is decided later.
 *
 * @param type the kind of evidence
 * @param path the attestation certificate and its chain; may be empty
 * @param doubt why it must not be trusted, even if the path leads to an anchor
 */
record Evidence(Attestation.Type type, List<X509Certificate> path, Optional<AttestationReason> doubt) {
    /** Evidence that is never trusted. */
    static Evidence doubtful(Attestation.Type type, List<X509Certificate> path, AttestationReason doubt) {
        return new Evidence(type, path, Optional.of(doubt));
    }
}
