// SPDX-License-Identifier: Apache-2.0
/**
 * What all endpoints of OpenID Connect share: parameters, refusals, their telemetry, pages without scripts, and marks of what was
 * used once. It knows no client.
 */
package dev.porchlight.server.openid.protocol;
