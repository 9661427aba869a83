// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.token;

import java.time.Instant;

/** A signed token and when it expires. */
public record AccessToken(String value, Instant expiresAt) {}
