// SPDX-License-Identifier: Apache-2.0
/**
 * Attestation statements, judged as section 8 of WebAuthn Level 2 says: pure, no I/O, the time by parameter.
 *
 * <p>{@link dev.porchlight.passkey.attestation.AttestationVerifier} is the way in; one small class per format ({@code NoneFormat},
 * {@code PackedFormat}, {@code FidoU2fFormat}, {@code AppleFormat}, {@code AndroidKeyFormat}, {@code TpmFormat}) reads like its
 * section. {@code PackedCertificate} and {@code AikCertificate} are the certificate requirements, {@code KeyDescription} and
 * {@code TpmAttest} / {@code TpmPublic} the structures inside, {@code Der} the reader below them. Trust is a second question, put
 * to the caller's {@link dev.porchlight.passkey.attestation.TrustAnchors} only; what a statement carries is never an anchor.
 */
package dev.porchlight.passkey.attestation;
