// SPDX-License-Identifier: Apache-2.0
/**
 * Two independent relying parties, on webauthn4j and on Yubico's library, behind one interface. They verify the testkit's
 * output and cross-check the passkey module. {@code Options} parses the ceremony options for both.
 */
package dev.porchlight.oracles;
