// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

/**
 * A signed-in browser.
 *
 * @param handle names it in lists, without letting the reader use it
 * @param userId whose it is, taken from the verified credential
 * @param credentialId the passkey it was opened with
 * @param authTime when the passkey was used, in milliseconds since 1970
 * @param expiresAt in milliseconds since 1970
 * @param userAgent what the browser called itself then
 */
public record Session(
        String handle, String userId, String credentialId, long authTime, long expiresAt, String userAgent) {}
