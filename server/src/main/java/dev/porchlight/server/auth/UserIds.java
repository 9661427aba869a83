// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.DisplayText;
import dev.porchlight.passkey.Texts;
import dev.porchlight.server.storage.UserNames;
import java.text.Normalizer;
import org.jspecify.annotations.Nullable;

/** The rules for user ids, which prevent ids that look like another one. */
public final class UserIds {
    private static final String RESERVED = "porchlight:";

    private UserIds() {}

    /** Returns the problem with a user id, or null if it is valid. */
    public static @Nullable String fault(String userId) {
        int characters = userId.codePointCount(0, userId.length());
        if (characters < 1 || characters > Texts.MAX_CHARACTERS) {
            return "a user id must have 1 to " + Texts.MAX_CHARACTERS + " characters";
        }
        if (userId.codePoints().anyMatch(DisplayText::isInvisible)) {
            return "a user id must not contain control, format, private-use or unassigned characters or line separators";
        }
        if (isBlank(userId.codePointAt(0)) || isBlank(userId.codePointBefore(userId.length()))) {
            return "a user id must not begin or end with a blank";
        }
        if (!Normalizer.isNormalized(userId, Normalizer.Form.NFC)) {
            return "a user id must be in Unicode normalization form C";
        }
        return isReserved(userId) ? "user ids that begin with " + RESERVED + " are reserved" : null;
    }

    /** Whether an id is reserved for the service. */
    public static boolean isReserved(@Nullable String userId) {
        return userId != null && UserNames.fold(userId).startsWith(RESERVED);
    }

    /** Returns the id if it is valid. */
    public static String require(String userId) {
        String fault = fault(userId);
        if (fault != null) {
            throw new IllegalArgumentException(fault);
        }
        return userId;
    }

    /** Refuses ids that no existing user can have. Rows that an application wrote may not follow the rules for new ids. */
    public static void requireExisting(String userId) {
        if (userId.isEmpty()
                || userId.length() > Texts.MAX_CHARACTERS
                || userId.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "a user id has 1 to " + Texts.MAX_CHARACTERS + " characters and no control characters");
        }
    }

    /** Whether a character is, or looks like, a space of any width. */
    private static boolean isBlank(int character) {
        return Character.isWhitespace(character) || Character.isSpaceChar(character) || UserNames.isFiller(character);
    }
}
