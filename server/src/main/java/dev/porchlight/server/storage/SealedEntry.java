// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

/**
 * Something the server keeps for a while without being able to read it.
 *
 * @param kind what it is: entries of different kinds never meet
 * @param key a keyed hash of the secret that finds it; the secret itself is not stored
 * @param owner a keyed hash of the user id it belongs to
 * @param sealed the content, encrypted and bound to kind and key
 * @param expiresAt when it stops counting, in milliseconds since 1970
 */
public record SealedEntry(String kind, String key, String owner, String sealed, long expiresAt) {
    /** The kind of sessions. */
    public static final String SESSION = "session";
}
