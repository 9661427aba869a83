// SPDX-License-Identifier: Apache-2.0
/**
 * Verifies attestation statements as section 8 of WebAuthn Level 2 says: no I/O, the time is a parameter.
 *
 * <ul>
 *   <li>{@code AttestationVerifier} is the entry point; its result is an {@code Attestation} or an {@code
 *       AttestationReason};
 *   <li>{@code PackedFormat}, {@code FidoU2fFormat}, {@code AppleFormat}, {@code AndroidKeyFormat} and {@code TpmFormat}
 *       each read like their section, and turn a {@code Statement} into {@code Evidence};
 *   <li>{@code KeyDescription} and {@code TpmStructures} are the structures inside, {@code Der} reads them.
 * </ul>
 */
package dev.porchlight.passkey.attestation;
