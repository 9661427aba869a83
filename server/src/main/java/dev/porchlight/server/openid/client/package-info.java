// SPDX-License-Identifier: Apache-2.0
/**
 * The applications that sign users in: their settings, groups, administration and authentication.
 */
package dev.porchlight.server.openid.client;
