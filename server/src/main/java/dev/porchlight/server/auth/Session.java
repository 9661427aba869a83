// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

/**
 * A signed-in browser.
 *
 * @param handle names it in lists, without letting the reader use it
 * @param grant the sign-in that it came from
 * @param lastSignIn when the user had used the same passkey before, or registered it, in milliseconds since the epoch; 0 if
 *     that is unknown
 * @param expiresAt in milliseconds since the epoch
 * @param userAgent what the browser called itself then
 */
public record Session(String handle, Grant grant, long lastSignIn, long expiresAt, String userAgent) {
    public String userId() {
        return grant.userId();
    }

    /** When the passkey was used, in milliseconds since the epoch. */
    public long authTime() {
        return grant.authTime().toEpochMilli();
    }
}
