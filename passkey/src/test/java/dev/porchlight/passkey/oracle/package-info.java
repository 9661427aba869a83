// SPDX-License-Identifier: Apache-2.0
/**
 * The same responses given to this library, to webauthn4j and to Yubico's. {@code Trio} is the three side by side,
 * {@code Differences} the table of where they part and why, from which {@code docs/security/oracles.md} is written.
 */
package dev.porchlight.passkey.oracle;
