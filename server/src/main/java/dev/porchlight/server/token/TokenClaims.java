// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.token;

import dev.porchlight.server.auth.Grant;
import java.time.Instant;

/**
 * What a valid token says.
 *
 * @param grant the sign-in that it came from
 * @param keyId the name of the key that signed it
 */
public record TokenClaims(Grant grant, String keyId, Instant expiresAt) {}
