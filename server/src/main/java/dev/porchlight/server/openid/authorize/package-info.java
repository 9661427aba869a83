// SPDX-License-Identifier: Apache-2.0
/**
 * Authorization requests, from the client through the sign-in page to the code, with the consent of the user.
 */
package dev.porchlight.server.openid.authorize;
