// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.token;

import java.time.Instant;

/** What a token that checked out says: whose it is, and when that user last used his passkey. */
public record TokenClaims(String userId, Instant authTime, Instant expiresAt) {}
