// SPDX-License-Identifier: Apache-2.0
/**
 * Tokens for clients: ID, access and logout tokens with their keys, and the token, revocation and userinfo endpoints.
 */
package dev.porchlight.server.openid.token;
