// SPDX-License-Identifier: Apache-2.0
/**
 * Verifies attestation statements as defined in section 8 of WebAuthn Level 2. Does no I/O; the time is a parameter.
 *
 * <ul>
 *   <li>{@code AttestationVerifier} is the entry point; its result is an {@code Attestation} or an {@code
 *       AttestationReason};
 *   <li>{@code PackedFormat}, {@code FidoU2fFormat}, {@code AppleFormat}, {@code AndroidKeyFormat} and {@code TpmFormat}
 *       verify a {@code Statement} and return {@code Evidence};
 *   <li>{@code KeyDescription} and {@code TpmStructures} are structures inside of statements; {@code Der} reads them.
 * </ul>
 */
package dev.porchlight.passkey.attestation;
