// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.token;

import java.time.Instant;

/**
 * What a valid token says.
 *
 * @param credentialId the passkey that it was issued for
 * @param authTime when that passkey was used
 */
public record TokenClaims(String userId, String credentialId, Instant authTime, Instant expiresAt) {}
