// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

/**
 * An encrypted entry that the server stores for a limited time.
 *
 * @param kind the type of entry; kinds are separate key spaces
 * @param key a keyed hash of the secret that finds it; the secret itself is not stored
 * @param owner a keyed hash of the user id
 * @param sealed the content, encrypted and bound to kind and key
 * @param expiresAt the expiry, in milliseconds since the epoch
 */
public record SealedEntry(String kind, String key, String owner, String sealed, long expiresAt) {
    /** The kind of sessions. */
    public static final String SESSION = "session";

    /** The kind of operators' enrollment links. */
    public static final String ENROLLMENT = "enrollment";

    /** The kind of links that verify an address. */
    public static final String EMAIL = "email";

    /** The kind of the parts of enrollment links, which find a link that was damaged. */
    public static final String ENROLLMENT_PART = "enrollment_part";
}
