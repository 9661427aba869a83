// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

/**
 * A challenge that this service issued and that was not used before.
 *
 * @param expiresAt when it expires, in milliseconds since the epoch
 */
public record IssuedChallenge(String challenge, long expiresAt) {}
