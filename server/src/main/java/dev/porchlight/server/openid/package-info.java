// SPDX-License-Identifier: Apache-2.0
/**
 * OpenID Connect: applications sign users in through this service. Requests are parsed with the Nimbus SDK; sessions, signing keys
 * and pages are reached through the ports in {@link dev.porchlight.server.openid.OpenIdPorts}.
 */
package dev.porchlight.server.openid;
