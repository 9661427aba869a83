// SPDX-License-Identifier: Apache-2.0
/**
 * OpenID Connect: applications sign users in through this service. The SDK parses requests; the packages below decide which are
 * accepted. This one wires them and publishes their metadata.
 */
package dev.porchlight.server.openid;
