// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.token;

/**
 * A signing key as it lies in the database.
 *
 * @param kid its name in token headers and the JWKS
 * @param createdAt in milliseconds since 1970; the newest key signs
 * @param sealed the private JWK, sealed under a key derived from the session secret
 */
public record SigningKeyRow(String kid, long createdAt, String sealed) {}
