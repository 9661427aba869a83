// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.cli;

/** What can be the id of a user who exists, also of one from before the rules for new ids. */
final class KnownUser {
    private static final int MAX_CHARS = 256;

    private KnownUser() {}

    static void require(String userId) {
        if (userId.isEmpty() || userId.length() > MAX_CHARS || userId.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("a user's id has 1 to 256 characters and no control characters");
        }
    }
}
