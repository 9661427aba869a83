// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.cli;

/** What can be a user's id, said before the database is asked for it. */
final class UserIds {
    private static final int MAX_CHARS = 256;

    private UserIds() {}

    static void require(String userId) {
        if (userId.isEmpty() || userId.length() > MAX_CHARS || userId.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("a user's id has 1 to 256 characters and no control characters");
        }
    }
}
