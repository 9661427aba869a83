// SPDX-License-Identifier: Apache-2.0
/**
 * Compares this library with webauthn4j and Yubico's library. {@code Trio} sends the same responses to all three; {@code
 * Differences} lists where they differ and why. {@code docs/security/oracles.md} is generated from it.
 */
package dev.porchlight.passkey.oracle;
