// SPDX-License-Identifier: Apache-2.0
/**
 * The service's own tokens. {@link dev.porchlight.server.token.KeyRing} has the signing keys,
 * {@link dev.porchlight.server.token.Tokens} issues and verifies tokens.
 */
package dev.porchlight.server.token;
