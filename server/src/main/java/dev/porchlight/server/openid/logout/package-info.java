// SPDX-License-Identifier: Apache-2.0
/**
 * The end of sign-ins: logout requests of clients, and notices to clients whose sign-ins have ended.
 */
package dev.porchlight.server.openid.logout;
