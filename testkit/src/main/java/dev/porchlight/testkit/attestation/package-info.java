// SPDX-License-Identifier: Apache-2.0
/**
 * Attestation statements of the six formats, and the authority that issues their certificates. Not exported.
 * {@code Attester} makes a {@code Statement} about a {@code Subject}; {@code CertificateAuthority} is root and intermediate;
 * {@code CertificateDraft} writes an X.509 certificate, which the JDK can read but not make.
 */
package dev.porchlight.testkit.attestation;
