// SPDX-License-Identifier: Apache-2.0
/**
 * Two relying parties by others, webauthn4j and Yubico's library, behind one face: they judge what testkit writes, and
 * what the passkey module accepts and refuses. {@code Options} is what both read of the options a browser was given.
 */
package dev.porchlight.oracles;
