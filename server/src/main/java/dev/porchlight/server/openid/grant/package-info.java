// SPDX-License-Identifier: Apache-2.0
/**
 * What clients were granted by sign-ins: one row each, which codes and refresh tokens lead to, and which ends with the sign-in.
 */
package dev.porchlight.server.openid.grant;
