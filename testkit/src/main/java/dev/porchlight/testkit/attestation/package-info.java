// SPDX-License-Identifier: Apache-2.0
/**
 * Attestation statements of the six formats, and the authority that issues their certificates. Not exported. An {@code
 * Attester} creates a {@code Statement} about a {@code Subject}; {@code CertificateAuthority} is root and intermediate;
 * {@code CertificateDraft} encodes X.509 certificates, which the JDK can read but not create.
 */
package dev.porchlight.testkit.attestation;
