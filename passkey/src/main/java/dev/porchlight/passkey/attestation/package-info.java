// SPDX-License-Identifier: Apache-2.0
/**
 * Attestation statements, judged as section 8 of WebAuthn Level 2 says: pure, no I/O, the time by parameter.
 *
 * <ul>
 *   <li>{@code AttestationVerifier} is the way in, {@code AttestationPolicy} and {@code TrustAnchors} what it is given,
 *       {@code AttestationResult} what it says, with an {@code Attestation} or an {@code AttestationReason};
 *   <li>{@code NoneFormat}, {@code PackedFormat}, {@code FidoU2fFormat}, {@code AppleFormat}, {@code AndroidKeyFormat}
 *       and {@code TpmFormat} each read like their section, and turn a {@code Statement} into a {@code Verdict};
 *   <li>{@code PackedCertificate} and {@code AikCertificate} are the requirements on certificates;
 *   <li>{@code KeyDescription}, {@code TpmAttest} and {@code TpmPublic} are the structures inside, {@code Der} and
 *       {@code TpmReader} how they are read.
 * </ul>
 */
package dev.porchlight.passkey.attestation;
