// SPDX-License-Identifier: Apache-2.0
/**
 * Two relying parties by others, webauthn4j and Yubico's library, behind one face: they judge what this kit writes, and what the
 * passkey module accepts and refuses.
 */
package dev.porchlight.testkit.oracle;
